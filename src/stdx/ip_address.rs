//! Classification of IP addresses: public ones, and those of this machine, its network or its
//! provider. Requests on behalf of users only go to public ones.

use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::net::Ipv6Addr;

/// IPv4 networks that are not public: address, prefix length, purpose.
const INNER_V4: &[([u8; 4], u32, &str)] = &[
    ([0, 0, 0, 0], 8, "this network"),
    ([10, 0, 0, 0], 8, "private"),
    ([100, 64, 0, 0], 10, "shared by a provider's customers"),
    ([127, 0, 0, 0], 8, "this machine"),
    // A public number, but only reachable as the host of a virtual machine.
    ([168, 63, 129, 16], 32, "a provider's machines"),
    ([169, 254, 0, 0], 16, "link-local, with the secrets of cloud machines"),
    ([172, 16, 0, 0], 12, "private"),
    ([192, 0, 0, 0], 24, "protocol assignments"),
    ([192, 0, 2, 0], 24, "documentation"),
    ([192, 88, 99, 0], 24, "relays of 6to4"),
    ([192, 168, 0, 0], 16, "private"),
    ([198, 18, 0, 0], 15, "benchmarking"),
    ([198, 51, 100, 0], 24, "documentation"),
    ([203, 0, 113, 0], 24, "documentation"),
    ([224, 0, 0, 0], 4, "multicast"),
    ([240, 0, 0, 0], 4, "reserved, broadcast"),
];

/// IPv6 networks within 2000::/3 that are not public. All addresses outside of it are not public
/// either: loopback, ULA, link-local, site-local, multicast, discard-only, local NAT64 and
/// unassigned ones.
const INNER_V6: &[([u16; 3], u32, &str)] = &[
    ([0x2001, 0, 0], 23, "protocol assignments: Teredo, benchmarking, ORCHID"),
    ([0x2001, 0xdb8, 0], 32, "documentation"),
    ([0x3fff, 0, 0], 20, "documentation"),
];

/// Returns true if the address is public unicast. An IPv4 address inside of an IPv6 one (mapped,
/// NAT64, 6to4) is classified as IPv4.
pub fn is_public(address: IpAddr) -> bool {
    match unwrap_ipv4(address) {
        IpAddr::V4(v4) => !INNER_V4.iter().any(|(net, bits, _)| is_in_v4(v4, *net, *bits)),
        IpAddr::V6(v6) => {
            is_in_v6(v6, [0x2000, 0, 0], 3)
                && !INNER_V6.iter().any(|(net, bits, _)| is_in_v6(v6, *net, *bits))
        }
    }
}

/// Returns true if the address is unicast, public or not.
pub fn is_unicast(address: IpAddr) -> bool {
    match unwrap_ipv4(address) {
        IpAddr::V4(v4) => {
            let octets = v4.octets();
            octets[0] != 0 && octets[0] < 224
        }
        IpAddr::V6(v6) => !v6.is_unspecified() && !v6.is_multicast(),
    }
}

/// Returns the IPv4 address inside of an IPv6 one, if there is one, since packets are delivered to
/// it.
fn unwrap_ipv4(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    let [a, b, c, d, e, f, g, h] = v6.segments();
    let inside = match (a, b, c, d, e, f) {
        // ::ffff:0:0/96, mapped
        (0, 0, 0, 0, 0, 0xffff) => (g, h),
        // 64:ff9b::/96, NAT64
        (0x64, 0xff9b, 0, 0, 0, 0) => (g, h),
        // 2002::/16, 6to4
        (0x2002, ..) => (b, c),
        _ => return address,
    };
    let ([p, q], [r, s]) = (inside.0.to_be_bytes(), inside.1.to_be_bytes());
    IpAddr::V4(Ipv4Addr::new(p, q, r, s))
}

fn is_in_v4(address: Ipv4Addr, net: [u8; 4], bits: u32) -> bool {
    let mask = u32::MAX.checked_shl(32 - bits).unwrap_or(0);
    u32::from(address) & mask == u32::from_be_bytes(net)
}

fn is_in_v6(address: Ipv6Addr, net: [u16; 3], bits: u32) -> bool {
    let [a, b, c] = net;
    let mask = u128::MAX.checked_shl(128 - bits).unwrap_or(0);
    u128::from(address) & mask == u128::from(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_public() {
        let check = |text: &str| assert!(is_public(text.parse().unwrap()), "{text}");
        for text in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "93.184.216.34",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.15",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "2a00:1450::1",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2002:101:101::1",
        ] {
            check(text);
        }
    }

    #[test]
    fn what_is_not() {
        let check = |text: &str| assert!(!is_public(text.parse().unwrap()), "{text}");
        for text in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            // Native IPv6.
            "::",
            "::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "100::1",
            "2001:db8::1",
            "3fff::1",
            "5f00::1",
            "4000::1",
            "1fff::1",
            // Embedded IPv4.
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::127.0.0.1",
            "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1.1.1.1",
            "2002:7f00:1::1",
            "2002:c0a8:101::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
        ] {
            check(text);
        }
    }

    #[test]
    fn what_is_one_machine() {
        let check = |text: &str, expect| {
            assert_eq!(is_unicast(text.parse().unwrap()), expect, "{text}");
        };
        for text in ["127.0.0.1", "10.0.0.1", "169.254.1.1", "::1", "fd00::1", "fe80::1", "1.1.1.1"]
        {
            check(text, true);
        }
        for text in ["0.0.0.0", "0.0.0.1", "224.0.0.1", "255.255.255.255", "::", "ff02::1"] {
            check(text, false);
        }
        check("::ffff:0.0.0.0", false);
        check("::ffff:224.0.0.1", false);
    }
}
