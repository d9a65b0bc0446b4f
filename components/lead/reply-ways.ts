import { saveFile } from '@/components/browser/save-file'
import { holdWork } from '@/components/desk/hold-work'
import { after } from '@/lib/after'
import { LINK_SAFE_LENGTH, mailLink, type MailOutside } from '@/lib/contacts/reply-mail'
import type { MailWay } from '@/lib/contract/lists'
import { leavingReplies } from '@/lib/inbox/leaving-replies'
import { createOutbox } from '@/lib/inbox/outbox'

export type Mail = { to: string; subject: string; body: string }

export function isTooLongForLink(way: MailWay, mail: Mail): boolean {
  return way !== 'intag' && mailLink(way, mail).length > LINK_SAFE_LENGTH
}

/** In a tab of its own where it is a page, which learns nothing of this one. */
export function openMail(way: MailOutside, mail: Pick<Mail, 'to' | 'subject'> & { body?: string }): void {
  const link = document.createElement('a')
  link.href = mailLink(way, mail)
  if (way !== 'program') Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' })
  link.click()
}

/** As a file that opens for sending. Its name says nothing of who it is to, as the subject may. */
export function saveAsDraft(mail: Mail, name: string): void {
  saveFile(name, new Blob([emlDraft(mail)], { type: 'message/rfc822' }))
}

export const outbox = createOutbox({
  now: Date.now,
  schedule: (run, ms) => after(ms, run),
})

const MAX_FLUSH_MS = 4_000
leavingReplies.sentBy(() => outbox.flush(MAX_FLUSH_MS))

let release = () => {}
outbox.subscribe(() => {
  release()
  release = outbox.isBusy() ? holdWork('sendings') : () => {}
})

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
