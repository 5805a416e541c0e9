/** The samples that verify a message; the same as in docs/WEBHOOKS.md. */
export const SNIPPETS = [
  {
    name: 'Node',
    code: `import { createHmac, timingSafeEqual } from "node:crypto";

/** \`headers\` are lower-case, \`body\` is the request's body as it came, before any JSON parser. */
export function verify(secret, headers, body, toleranceSeconds = 300) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!id || !(age <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => {
    const [version, value] = signature.split(",", 2);
    const given = Buffer.from(value ?? "", "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  },
  {
    name: 'Python',
    code: `import base64
import hashlib
import hmac
import time


def verify(secret: str, headers: dict, body: bytes, tolerance: int = 300) -> bool:
    """\`headers\` are lower-case, \`body\` is the request's body as it came."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isascii() or not timestamp.isdigit():
        return False
    if not message_id or abs(time.time() - int(timestamp)) > tolerance:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(it.encode(), expected.encode()) for it in given)`,
  },
  {
    name: 'PHP',
    code: `function verify(string $secret, array $headers, string $body, int $tolerance = 300): bool
{
    // \`$headers\` are lower-case, \`$body\` is file_get_contents('php://input').
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || !ctype_digit($timestamp) || abs(time() - (int) $timestamp) > $tolerance) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    if ($key === false) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}`,
  },
] as const;
