//! The dates between which a certificate is valid (RFC 5280, 4.1.2.5).

use tokio_rustls::rustls::pki_types::CertificateDer;
use yasna::ASN1Result;
use yasna::BERReaderSeq;
use yasna::Tag;

use crate::stdx::time::Timestamp;

/// The tags of the two notations of a date.
const UTC_TIME: u8 = 23;
const GENERALIZED_TIME: u8 = 24;

/// Reads the first and the last second of a certificate. Returns nothing if it is none.
pub(super) fn read_dates(certificate: &CertificateDer<'_>) -> Option<(Timestamp, Timestamp)> {
    let (from, until) = yasna::parse_der(certificate, |reader| {
        reader.read_sequence(|parts| {
            let dates = parts.next().read_sequence(read_validity)?;
            skip_all(parts)?;
            Ok(dates)
        })
    })
    .ok()?;
    Some((parse_date(&from)?, parse_date(&until)?))
}

/// Reads the two dates of the signed part, behind its version, number, algorithm and issuer.
fn read_validity(parts: &mut BERReaderSeq<'_, '_>) -> ASN1Result<(Vec<u8>, Vec<u8>)> {
    parts.read_optional(|it| it.read_tagged(Tag::context(0), |it| it.read_der()))?;
    for _ in 0..3 {
        parts.next().read_der()?;
    }
    let dates = parts.next().read_sequence(|it| Ok((it.next().read_der()?, it.next().read_der()?)));
    skip_all(parts)?;
    dates
}

fn skip_all(parts: &mut BERReaderSeq<'_, '_>) -> ASN1Result<()> {
    while parts.read_optional(|it| it.read_der())?.is_some() {}
    Ok(())
}

/// Parses `YYMMDDHHMMSSZ`, whose years are those from 1950, or `YYYYMMDDHHMMSSZ`.
fn parse_date(der: &[u8]) -> Option<Timestamp> {
    let (head, text) = der.split_at_checked(2)?;
    let text = std::str::from_utf8(text).ok()?;
    let digits = match *head.first()? {
        UTC_TIME => format!("{}{text}", if text.get(..2)? < "50" { "20" } else { "19" }),
        GENERALIZED_TIME => text.to_owned(),
        _ => return None,
    };
    let part = |from: usize, to: usize| digits.get(from..to);
    let (year, month, day) = (part(0, 4)?, part(4, 6)?, part(6, 8)?);
    let (hour, minute, second) = (part(8, 10)?, part(10, 12)?, part(12, 14)?);
    (digits.get(14..)? == "Z").then_some(())?;
    Timestamp::parse(&format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read() {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut parameters = rcgen::CertificateParams::new(vec!["a.test".to_owned()]).unwrap();
        parameters.not_before = rcgen::date_time_ymd(2026, 11, 27);
        parameters.not_after = rcgen::date_time_ymd(2051, 2, 3);
        let certificate = parameters.self_signed(&key).unwrap();
        let (from, until) = read_dates(certificate.der()).unwrap();
        assert_eq!(from.to_string(), "2026-11-27T00:00:00Z");
        assert_eq!(until.to_string(), "2051-02-03T00:00:00Z");
    }

    #[test]
    fn what_is_no_certificate_has_none() {
        for bytes in [&b""[..], b"\x30\x00", b"\x30\x03\x02\x01\x01", &[0x30, 0x80, 0xff, 0xff]] {
            assert!(read_dates(&CertificateDer::from(bytes.to_vec())).is_none());
        }
    }
}
