import { saveFile } from '@/components/browser/save-file'
import { emlDraft } from '@/lib/contacts/eml-draft'
import { MAILTO_SAFE_LENGTH, mailtoUrl } from '@/lib/contacts/reply-mail'
import { createOutbox } from '@/lib/inbox/outbox'

export type Mail = { to: string; subject: string; body: string }

export function isTooLongForLink(mail: Mail): boolean {
  return mailtoUrl(mail).length > MAILTO_SAFE_LENGTH
}

/** Opens the mail in the person's own mail program. */
export function openInMailProgram(mail: Pick<Mail, 'to' | 'subject'> & { body?: string }): void {
  const link = document.createElement('a')
  link.href = mailtoUrl(mail)
  link.click()
}

/** As a file that opens for sending; its name tells nobody who it is to. */
export function saveAsDraft(mail: Mail, name: string): void {
  saveFile(`${name}.eml`, new Blob([emlDraft(mail)], { type: 'message/rfc822' }))
}

/** The replies that this tab is about to send through Intag. */
export const outbox = createOutbox({
  now: Date.now,
  schedule: (run, ms) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
})

const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault()

outbox.subscribe(() => {
  if (outbox.isBusy()) window.addEventListener('beforeunload', askBeforeClosing)
  else window.removeEventListener('beforeunload', askBeforeClosing)
})
