"""Message text as blocks and spans, plain values (`leaves`, `inline`). No HTML is read or made, no address followed."""
