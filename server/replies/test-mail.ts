import { randomUUID } from 'node:crypto'
import { executeCommand } from '@/server/access/command'
import { recordMailOutcome, sendWithinQuota } from '@/server/access/mail-quota'
import type { Admin } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'

const SUBJECT = 'Testmejl från Intag · Test message from Intag'
const TEXT = [
  'Det här är ett testmejl som en administratör skickade från Intags sida Drift. Kom det fram kan Intag skicka mejl.',
  'This is a test message that an administrator sent from Intag’s status page. If it has arrived, Intag can send mail.',
  '',
].join('\n\n')

export async function sendTestMail(services: Services, viewer: Admin) {
  const key = `test-${randomUUID()}`
  const mail = { to: viewer.email, subject: SUBJECT, text: TEXT, key, purpose: 'test' } as const
  const delivery = (await sendWithinQuota(services, viewer, mail)) ?? { outcome: 'unknown', detail: '' }
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    await recordMailOutcome(tx, key, delivery)
    await log({ action: 'mail-tested', details: { outcome: delivery.outcome } })
  })
  return delivery
}
