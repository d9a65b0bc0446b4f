import { AlarmClock, Mail, Phone, UserRoundPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { wishReply } from '@/components/contact/reply-wish'
import { StatusDot } from '@/components/triage/status-dot'
import { Avatar } from '@/components/ui/avatar'
import type { LeadItem } from '@/lib/api/leads'
import { toE164 } from '@/lib/contacts/phone'
import type { LeadRef } from '@/lib/contract/lead'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { type LeadDecisions, useIsTaken } from './lead-toolbar'

/** What is done with a lead on a phone, along the lower edge. */
export function ThumbBar({ lead, item, decide }: { lead: LeadRef; item: LeadItem; decide: LeadDecisions }) {
  const t = useTranslations('lead')
  const { status, assignee } = item.triage
  const { onStatus, onTake, onAssign, onPutAside } = decide
  const isTaken = useIsTaken(item)
  return (
    <div
      role="group"
      aria-label={t('actions')}
      className="grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] desk:hidden low:sticky low:bottom-0 low:mt-auto"
    >
      <Answers lead={lead} item={item} />
      <button
        type="button"
        disabled={status === 'handled'}
        aria-label={t('markHandled')}
        onClick={() => onStatus(item, 'handled')}
        className={entryClass}
      >
        <StatusDot status="handled" />
        <span>{t('handledShort')}</span>
      </button>
      <button type="button" disabled={isTaken} onClick={() => onTake(item)} className={entryClass}>
        <StatusDot status="in-progress" />
        <span>{t('take')}</span>
      </button>
      <button
        type="button"
        aria-label={assignee === null ? t('assign') : t('assignee', { name: assignee.name })}
        onClick={() => onAssign(item)}
        className={entryClass}
      >
        {assignee === null ? <UserRoundPlus aria-hidden /> : <Avatar name={assignee.name} />}
        <span className="max-w-full min-w-0 truncate px-1">{assignee?.name ?? t('assign')}</span>
      </button>
      <button type="button" onClick={() => onPutAside(item)} className={entryClass}>
        <AlarmClock aria-hidden />
        <span>{t('putAsideShort')}</span>
      </button>
    </div>
  )
}

/** What one came for: the way that the person asked for, and then the other. */
function Answers({ lead, item }: { lead: LeadRef; item: LeadItem }) {
  const t = useTranslations('lead')
  const { email, phone } = contactOf(item)
  const number = phone === null ? null : toE164(phone)
  const isCalled = number !== null && (email === null || (isQuestion(item) && item.sender.mode === 'phone'))
  const mail = email !== null && (
    <button type="button" onClick={() => wishReply(lead, 'mail')} className={isCalled ? entryClass : firstClass}>
      <Mail aria-hidden />
      <span>{t(isQuestion(item) ? 'reply' : 'mail')}</span>
    </button>
  )
  const call = number !== null && (
    <a href={`tel:${number}`} className={isCalled ? firstClass : entryClass}>
      <Phone aria-hidden />
      <span>{t('call')}</span>
    </a>
  )
  return (
    <>
      {isCalled ? call : mail}
      {isCalled ? mail : call}
    </>
  )
}

/** Without room for words, in a low or very narrow window, the signs stand alone. */
const anyClass =
  'flex min-h-14 w-full min-w-0 flex-col items-center justify-center gap-1 py-1 text-center text-2xs font-medium disabled:opacity-45 low:min-h-11 low:flex-row low:gap-2 max-[19rem]:[&>span:last-child]:sr-only low:max-[40rem]:[&>span:last-child]:sr-only [&>svg]:size-5 [&>svg]:shrink-0'
const entryClass = `${anyClass} text-mute hover:text-ink`
const firstClass = `${anyClass} text-accent`
