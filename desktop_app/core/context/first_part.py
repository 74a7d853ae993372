"""Owns the beginning of a long document that is sent in the place of all of it, by the user's choice (CTX-9).

Knows no plan. Where the text is cut is kept with the attachment, so that its bytes never change.
"""

from __future__ import annotations

from dataclasses import replace

from desktop_app.core.attachment_facts import FIRST, SENT_IN_PART, cut_of, scanned_pdf, whole_document
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.context.truncation import left_out_mark, place_for
from desktop_app.core.messages import DocumentPart


def first_tokens(part: DocumentPart, most: int, estimator: TokenEstimator) -> DocumentPart:
    """The document of which the first `most` tokens are sent; whole where it is no longer, or is looked at."""
    whole = whole_document(part)
    if scanned_pdf(whole) is not None:
        return whole
    at, left_out = place_for(whole.text, most, estimator)
    return (
        whole
        if at >= len(whole.text)
        else replace(whole, extra={**whole.extra, FIRST: {"at": at, "left_out": left_out}})
    )


def as_sent(part: DocumentPart) -> DocumentPart:
    """The document as it goes along: whole, or its beginning and a mark.

    As a document of its own: where another part of it, or all of it, is attached, neither refers to the other.
    """
    cut = cut_of(part)
    if cut is None:
        return part
    at, left_out = cut
    text = f"{part.text[:at].rstrip()}\n\n{left_out_mark(left_out)}"
    return replace(part, text=text, sha256=f"{part.sha256}/{at}", extra={SENT_IN_PART: True})
