import { AlarmClock, ArrowLeft, Check, Mail, Phone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import { requestReply } from '@/components/contact/reply-request'
import { useCurrentUser } from '@/components/desk/current-user'
import type { Attempted } from '@/components/triage/note-attempt'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import type { LeadItem } from '@/lib/api/leads'
import { toE164 } from '@/lib/contacts/phone'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { Presence } from './presence'

export type LeadDecisions = {
  onStatus: (item: LeadItem, status: LeadStatus) => void
  onTake: (item: LeadItem) => void
  onAssign: (item: LeadItem) => void
  onPutAside: (item: LeadItem) => void
  onBack: (item: LeadItem) => void
  onNoted: (attempted: Attempted) => void
  /** Done with for now, and with all that was handled besides: on to the next. */
  onLeave: (item: LeadItem, handled?: readonly LeadRef[]) => void
  onGoBack: (leads: readonly LeadRef[]) => void
}

/** For answering by mail or by phone. `focusRequests` grows by one each time the user asks to answer. */
export type ChannelProps = {
  lead: LeadRef
  item: LeadItem
  decide: LeadDecisions
  focusRequests: number
  otherChannel: ReactNode
  onClose: () => void
}

export type LeadMoves = { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined; onClose: () => void }
type ActsProps = { item: LeadItem; decide: LeadDecisions }
type LeadToolbarProps = {
  lead: LeadRef
  item: LeadItem | undefined
  decide: LeadDecisions
  onClose: () => void
  more: ReactNode
}

export function LeadToolbar({ lead, item, decide, onClose, more }: LeadToolbarProps) {
  const t = useTranslations('lead')
  return (
    <div className="@container shrink-0 border-b border-line-soft bg-panel">
      <div className="lead-bar">
        <span className="desk:hidden">
          <IconButton icon={ArrowLeft} label={t('back')} onClick={onClose} />
        </span>
        {item !== undefined && <Acts item={item} decide={decide} />}
        <Presence lead={lead} isThere={item !== undefined} />
        {more}
      </div>
    </div>
  )
}

/** The decisions of a working day, one press away; on a phone the first two are under the thumb. */
function Acts({ item, decide }: ActsProps) {
  const t = useTranslations('lead')
  return (
    <>
      {item.triage.status !== 'handled' && (
        <Button
          icon={Check}
          text={
            <>
              <span aria-hidden className="@lg:hidden">
                {t('handledShort')}
              </span>
              <span className="sr-only @lg:not-sr-only">{t('markHandled')}</span>
            </>
          }
          shortcut="e"
          className={toolClass}
          onClick={() => decide.onStatus(item, 'handled')}
        />
      )}
      <Button
        icon={AlarmClock}
        text={<span className="sr-only @md:not-sr-only">{t('putAside')}</span>}
        shortcut="h"
        className={toolClass}
        onClick={() => decide.onPutAside(item)}
      />
      <Assignee item={item} decide={decide} />
    </>
  )
}

const toolClass = 'not-desk:hidden [&>svg]:size-3.5'

/** Who has the lead. A press changes that, or takes a lead that nobody has. */
function Assignee({ item, decide }: ActsProps) {
  const t = useTranslations('lead')
  const me = useCurrentUser()
  const { assignee } = item.triage
  if (assignee === null) {
    return <Button text={t('take')} shortcut="p" onClick={() => decide.onTake(item)} />
  }
  const name = assignee.id === me?.id ? t('you') : assignee.name
  return (
    <Button
      variant="ghost"
      aria-keyshortcuts="a"
      aria-label={t('assignee', { name })}
      onClick={() => decide.onAssign(item)}
      className="min-w-8 shrink"
      text={
        <>
          <Avatar name={assignee.name} />
          <span className="max-w-28 truncate @4xl:max-w-36">{name}</span>
        </>
      }
    />
  )
}

export function ThumbBar({ lead, item, decide }: ActsProps & { lead: LeadRef }) {
  const t = useTranslations('lead')
  return (
    <div
      role="group"
      aria-label={t('actions')}
      className="grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] desk:hidden low:sticky low:bottom-0 low:mt-auto"
    >
      <Answer lead={lead} item={item} />
      {item.triage.status !== 'handled' && (
        <ThumbButton icon={<Check />} onClick={() => decide.onStatus(item, 'handled')}>
          {t('markHandled')}
        </ThumbButton>
      )}
      <ThumbButton icon={<AlarmClock />} onClick={() => decide.onPutAside(item)}>
        {t('putAside')}
      </ThumbButton>
    </div>
  )
}

function Answer({ lead, item }: { lead: LeadRef; item: LeadItem }) {
  const t = useTranslations('lead')
  const { email, phone } = contactOf(item)
  const number = phone === null ? null : toE164(phone)
  if (number !== null && (email === null || (isQuestion(item) && item.sender.mode === 'phone'))) {
    return (
      <a href={`tel:${number}`} className={firstClass}>
        <Phone />
        <span>{t('call')}</span>
      </a>
    )
  }
  if (email === null) return null
  return (
    <ThumbButton icon={<Mail />} onClick={() => requestReply(lead, 'mail')} className={firstClass}>
      {t(isQuestion(item) ? 'reply' : 'mail')}
    </ThumbButton>
  )
}

function ThumbButton({ icon, children, ...rest }: ComponentProps<'button'> & { icon: ReactNode }) {
  return (
    <button type="button" className={entryClass} {...rest}>
      {icon}
      <span>{children}</span>
    </button>
  )
}

/** Without room for words, in a low or very narrow window, the signs stand alone. */
const anyClass =
  'flex min-h-14 w-full min-w-0 flex-col items-center justify-center gap-1 py-1 text-center text-2xs font-medium disabled:opacity-45 low:min-h-11 low:flex-row low:gap-2 max-[19rem]:[&>span:last-child]:sr-only low:max-[40rem]:[&>span:last-child]:sr-only [&>svg]:size-5 [&>svg]:shrink-0'
const entryClass = `${anyClass} text-mute hover:text-ink`
const firstClass = `${anyClass} text-accent`
