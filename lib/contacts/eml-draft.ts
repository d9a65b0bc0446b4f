type Draft = { to: string; subject: string; body: string }

/** RFC 2047: an encoded word is at most 75 characters, of which `=?UTF-8?B?` and `?=` are twelve; base64 makes 4 of 3 bytes. */
const WORD_BYTES = 45
const BASE64_LINE = 76

/**
 * A mail as a file that mail programs open for sending: `X-Unsent: 1` says that it is a draft (Outlook, Windows Mail, Thunderbird).
 * RFC 5322 with CRLF; what is not ASCII in the subject is RFC 2047, the body base64 of UTF-8, which no way in between changes.
 */
export function emlDraft({ to, subject, body }: Draft): string {
  const text = body.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n')
  return [
    'X-Unsent: 1',
    `To: ${addressLine(to)}`,
    `Subject: ${headerText(subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...linesOf(base64(new TextEncoder().encode(text))),
    '',
  ].join('\r\n')
}

/** An address stands as it is: in `<>`, so that what looks like a second one is none, and without line breaks. */
function addressLine(to: string): string {
  return `<${to.replace(/[\s<>\p{Cc}]/gu, '')}>`
}

function headerText(text: string): string {
  const line = text.toWellFormed().replace(/\s+/gu, ' ').trim()
  const isPlain = /^[\u0020-\u007e]*$/.test(line) && !line.includes('=?') && line.length <= 60
  return isPlain ? line : encodedWords(line).join('\r\n ')
}

/** Each a whole number of characters: half a letter would be none. */
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

function linesOf(text: string): string[] {
  return text.match(new RegExp(`.{1,${BASE64_LINE}}`, 'g')) ?? []
}
