import { saveFile } from '@/components/browser/save-file'
import { emlDraft } from '@/lib/contacts/eml-draft'
import { MAILTO_SAFE_LENGTH, mailtoUrl } from '@/lib/contacts/reply-mail'
import { leavingReplies } from '@/lib/inbox/leaving-replies'
import { createOutbox } from '@/lib/inbox/outbox'
import { isSignedOut } from '@/lib/inbox/drafts'

export type Mail = { to: string; subject: string; body: string }

export function isTooLongForLink(mail: Mail): boolean {
  return mailtoUrl(mail).length > MAILTO_SAFE_LENGTH
}

export function openInMailProgram(mail: Pick<Mail, 'to' | 'subject'> & { body?: string }): void {
  const link = document.createElement('a')
  link.href = mailtoUrl(mail)
  link.click()
}

/** As a file that opens for sending. Its name says nothing of who it is to, as the subject may. */
export function saveAsDraft(mail: Mail, name: string): void {
  saveFile(name, new Blob([emlDraft(mail)], { type: 'message/rfc822' }))
}

export const outbox = createOutbox({
  now: Date.now,
  schedule: (run, ms) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
})

const LAST_MS = 4_000
leavingReplies.sentBy(() => outbox.flush(LAST_MS))

/** After a sign-out nothing can be sent any more, and staying would not help. */
const askBeforeClosing = (event: BeforeUnloadEvent) => {
  if (!isSignedOut(sessionStorage, localStorage)) event.preventDefault()
}

outbox.subscribe(() => {
  if (outbox.isBusy()) window.addEventListener('beforeunload', askBeforeClosing)
  else window.removeEventListener('beforeunload', askBeforeClosing)
})
