"""Shows the gauge's strip in each of its states. Owns only made-up readings."""

from __future__ import annotations

from desktop_app.ui.gauge.gauge_reading import GaugeReading
from desktop_app.ui.gauge.gauge_strip import GaugeStrip
from tests.gallery.page import Page
from tests.gallery.posed import FocusedGauge

READINGS = {
    "Nothing counted yet": None,
    "Calm": GaugeReading("calm", 0.08, 0.8, "15.2K of 190K · about 40 turns left", "", "Calm"),
    "Calm, with what sending costs": GaugeReading("calm", 0.42, 0.8, "80K of 190K · $0.24 to send", "", "Calm"),
    "Close to the soft limit": GaugeReading("near", 0.76, 0.8, "144K of 150K · about 1 turn left", "", "Near"),
    "Sending leaves messages out": GaugeReading(
        "trim", 0.83, 0.8, "Sending leaves out 38 older messages: 157K to 90K", "Review", "Trim", 0.48
    ),
    "Sending takes messages back": GaugeReading(
        "return", 0.42, 0.8, "Sending brings back 38 older messages", "Review", "Return"
    ),
    "Too long": GaugeReading("refused", 1.0, 0.8, "214K of 190K: too long to send", "Make room", "Refused"),
    "The model's window is not known": GaugeReading("unknown", 0.3, 0.8, "9.8K · limit unknown", "Set", "Unknown"),
    "Close to the end of a plan": GaugeReading("calm", 0.2, 0.8, "38K of 190K · Plan 84 % · resets 15:00", "", "Calm"),
    "No soft limit": GaugeReading("calm", 0.5, 1.0, "95K of 190K", "", "Calm"),
    "More words than room": GaugeReading(
        "trim", 0.83, 0.8, "Sending leaves out 1,238 older messages: 157K to 90K · " * 3, "Review", "Trim", 0.48
    ),
}


def fill(page: Page) -> None:
    """A strip per reading, and one with the keyboard."""
    for caption, reading in READINGS.items():
        strip = GaugeStrip(page.theme, page)
        strip.reduced_motion = True
        strip.show_reading(reading)
        page.add(caption, strip)
    focused = FocusedGauge(page.theme, page)
    focused.reduced_motion = True
    focused.show_reading(READINGS["Close to the soft limit"])
    page.add("With the keyboard", focused)
