import 'server-only'
import { randomUUID } from 'node:crypto'
import type { MailTestAnswer } from '@/lib/contract/mail'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import { MailNotSentError } from '@/server/errors'
import type { MailParts } from './replies'

/** Sends a message to the administrator who asks, and says what came of it. MailNotSentError where no mail can be sent. */
export async function testMail(
  parts: CommandParts & Pick<MailParts, 'mailer' | 'mailPlaces'>,
  viewer: Allowed<'admin'>,
): Promise<MailTestAnswer> {
  const { mailer, mailPlaces } = parts
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  const leave = mailPlaces(viewer.id)
  try {
    const sent = await mailer.send({
      to: viewer.email,
      key: `test-${randomUUID()}`,
      subject: SUBJECT,
      text: TEXT,
      purpose: 'test',
    })
    const outcome = sent.ok ? 'sent' : sent.kind
    await command(parts, viewer, 'admin', (_, log) => log({ action: 'mail-tested', details: { outcome } }))
    return { outcome, detail: sent.ok ? '' : sent.detail }
  } finally {
    leave()
  }
}

const SUBJECT = 'Testmejl från Intag · Test message from Intag'
const TEXT = [
  'Det här är ett testmejl som en administratör skickade från Intags sida Driftläge. Kom det fram kan Intag skicka mejl.',
  'This is a test message that an administrator sent from Intag’s status page. If it has arrived, Intag can send mail.',
  '',
].join('\n\n')
