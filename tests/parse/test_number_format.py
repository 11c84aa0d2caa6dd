import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.parse.number_format import general, number_format


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("General", 12.0, "12"),
        ("", 12.5, "12.5"),
        ("General", 0.1 + 0.2, "0.3"),
        ("General", 1e20, "1e+20"),
        ('"No. "General', 7, "No. 7"),
        ("General;(General)", -7, "(7)"),
        ("0", 2.5, "3"),
        ("0.00", 3.14159, "3.14"),
        ("0.0##", 2.5, "2.5"),
        ("#.##", 0.5, "0.5"),
        ("#,##0", 1234567, "1234567"),
        ("#,##0.00", -1234.5, "-1234.50"),
        ("#,##0.00;(#,##0.00)", -5, "(5.00)"),
        ("#,##0,", 1234567, "1235"),
        ("0%", 0.075, "8%"),
        ("0.0%", 0.075, "7.5%"),
        ("0.0 %", 0.075, "7.5 %"),
        ("00000", 123, "00123"),
        ("000\\-00\\-0000", 123456789, "123-45-6789"),
        ("[<=9999999]###\\-####;\\(###\\)\\ ###\\-####", 5551234567, "(555)123-4567"),
        ('"$"#,##0.00', 9.5, "$9.50"),
        ('#,##0.00\\ "₽"', 70, "70.00 ₽"),
        ("[$€-407] #,##0.00", 3, "€ 3.00"),
        ('0 "kg"', 5, "5 kg"),
        ("[Red]0.0", 1.25, "1.3"),
        ('_-* #,##0.00_-;\\-* #,##0.00_-;_-* "-"??_-;_-@_-', 0, "-"),
        ('_-* #,##0.00_-;\\-* #,##0.00_-;_-* "-"??_-;_-@_-', -2, "-2.00"),
        ("0.00E+00", 15000, "1.50E+04"),
        ("# ?/?", 0.5, "0.5"),
        ("@", 12, "12"),
        (";;;", 5, "5"),
        ('"Yes";"No";"None"', 1, "Yes"),
        ('[>100]"big";[=5]"five";"small"', 500, "big"),
        ('[>100]"big";[=5]"five";"small"', 5, "five"),
        ('[<>1]"other";"one"', 1, "one"),
        ("[>=1.1.1]0", 3, "3"),
        ("0.00", 1e30, "1e+30"),
        ("yyyy-mm-dd", 45292, "2024-01-01"),
        ("m/d/yy h:mm", 45292.75, "2024-01-01 18:00"),
        ("dd.mm.yyyy hh:mm:ss", 45292.5, "2024-01-01 12:00:00"),
        ("h:mm AM/PM", 0.75, "18:00"),
        ("mm:ss", 0.5, "12:00:00"),
        ("[h]:mm:ss", 1.5, "36:00:00"),
        ("[mm]:ss", -0.5, "-12:00:00"),
        ("mmm-yy", 45292, "2024-01"),
        ("yyyy", 45292, "2024"),
        ("d-mmm", 45292, "2024-01-01"),
        ("mmmm", 45292, "2024-01-01"),
        ('yyyy"年"m"月"d"日"', 45292, "2024-01-01"),
        ("yyyy-mm-dd", 1, "1900-01-01"),
        ("yyyy-mm-dd", -1, "-1"),
        ("yyyy-mm-dd", 1e9, "1000000000"),
    ],
)
def test_a_number_is_shown_as_its_format_says(code: str, value: float, shown: str) -> None:
    assert number_format(code).show(float(value)) == shown


@given(
    st.text(st.sampled_from('0#?.,%;"\\[]<>=@ymdhsEe+-/_*$€ General'), max_size=20),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_any_code_shows_any_number_as_something(code: str, value: float) -> None:
    assert number_format(code).show(value)


@given(st.integers(-(10**14), 10**14))
def test_whole_numbers_have_no_fraction(value: int) -> None:
    assert general(float(value)) == str(value)
