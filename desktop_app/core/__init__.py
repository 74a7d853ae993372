"""Values and rules of Plimsoll. Pure: no Qt, SQL, SDK, clock, files or network may be imported here."""
