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
