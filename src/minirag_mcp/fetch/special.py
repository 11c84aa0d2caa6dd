"""Address blocks that are set aside for a purpose, whatever the interpreter's own tables know of them.

From the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 and what updated them, as of 2025), all
entries but the two IPv6 blocks that stand in for any IPv4 address; with the retired 192.88.99.0/24 (RFC 7526).
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_IPV4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
        ),
    )
)
_IPV6 = tuple(
    map(
        IPv6Network,
        (
            "::/96",
            "::ffff:0:0:0/96",
            "64:ff9b:1::/48",
            "100::/64",
            "100:0:0:1::/64",
            "2001::/23",
            "2001:db8::/32",
            "2002::/16",
            "2620:4f:8000::/48",
            "3fff::/20",
            "5f00::/16",
            "fc00::/7",
            "fe80::/10",
            "fec0::/10",
            "ff00::/8",
        ),
    )
)


def is_special(address: IPv4Address | IPv6Address) -> bool:
    """Whether the address lies in a block set aside for a purpose."""
    if isinstance(address, IPv4Address):
        return any(address in block for block in _IPV4)
    return any(address in block for block in _IPV6)
