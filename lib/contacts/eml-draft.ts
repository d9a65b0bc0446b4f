/** RFC 2047: an encoded word has at most 75 characters, twelve of them around the base64, which makes 4 of 3 bytes. */
const WORD_BYTES = 45

/** A mail as a file (RFC 5322). `X-Unsent: 1` marks a draft in Outlook, Windows Mail and Thunderbird. */
export function emlDraft({ to, subject, body }: { to: string; subject: string; body: string }): string {
  const text = body.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n')
  return [
    'X-Unsent: 1',
    // In `<>` and without line breaks, so that it is one address.
    `To: <${to.replace(/[\s<>\p{Cc}]/gu, '')}>`,
    `Subject: ${headerText(subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...(base64(new TextEncoder().encode(text)).match(/.{1,76}/g) ?? []),
    '',
  ].join('\r\n')
}

function headerText(text: string): string {
  const line = text.toWellFormed().replace(/\s+/gu, ' ').trim()
  const isPlain = /^[\u0020-\u007e]*$/.test(line) && !line.includes('=?') && line.length <= 60
  return isPlain ? line : encodedWords(line).join('\r\n ')
}

function encodedWords(line: string): string[] {
  const words: Uint8Array[] = []
  let bytes: number[] = []
  for (const letter of line) {
    const next = [...new TextEncoder().encode(letter)]
    if (bytes.length + next.length > WORD_BYTES) {
      words.push(Uint8Array.from(bytes))
      bytes = []
    }
    bytes.push(...next)
  }
  return [...words, Uint8Array.from(bytes)].map((word) => `=?UTF-8?B?${base64(word)}?=`)
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
