import { AlarmClock, ArrowLeft, ChevronDown, ChevronUp, Mail, Phone, UserRoundPlus, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import { wishReply } from '@/components/contact/reply-wish'
import { useCurrentUser } from '@/components/desk/current-user'
import type { Attempted } from '@/components/triage/note-attempt'
import { StatusDot } from '@/components/triage/status-dot'
import { StatusMenu } from '@/components/triage/status-menu'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
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

/** What both ways to answer need. `wishes` counts how often an answer was asked for; `instead` is the other way. */
export type WayProps = {
  lead: LeadRef
  item: LeadItem
  decide: LeadDecisions
  wishes: number
  instead: ReactNode
  onClose: () => void
}

export type LeadMoves = { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined; onClose: () => void }
type ActsProps = { item: LeadItem; decide: LeadDecisions }
type LeadToolbarProps = { lead: LeadRef; item: LeadItem | undefined; decide: LeadDecisions; moves: LeadMoves }

export function LeadToolbar({ lead, item, decide, moves }: LeadToolbarProps) {
  const t = useTranslations('lead')
  return (
    <div className="@container shrink-0 border-b border-line-soft bg-panel">
      <div className="lead-bar">
        <span className="desk:hidden">
          <IconButton label={t('back')} onClick={moves.onClose}>
            <ArrowLeft aria-hidden />
          </IconButton>
        </span>
        {item !== undefined && (
          <>
            <StatusMenu status={item.triage.status} onStatus={(status) => decide.onStatus(item, status)} />
            <Acts item={item} decide={decide} />
          </>
        )}
        <Presence lead={lead} isThere={item !== undefined} />
        <Moves {...moves} />
      </div>
    </div>
  )
}

/** The decisions of a working day, one press away. They keep their places, whatever the status. */
function Acts({ item, decide }: ActsProps) {
  const t = useTranslations('lead')
  const { assignee, status } = item.triage
  return (
    <span className="lead-acts">
      <Button disabled={status === 'handled'} aria-keyshortcuts="e" onClick={() => decide.onStatus(item, 'handled')}>
        <span aria-hidden className="@2xl:hidden">
          {t('handledShort')}
        </span>
        <span className="sr-only @2xl:not-sr-only @2xl:whitespace-nowrap">{t('markHandled')}</span>
        <Kbd>e</Kbd>
      </Button>
      <Button disabled={useIsTaken(item)} aria-keyshortcuts="p" onClick={() => decide.onTake(item)}>
        {t('take')}
        <Kbd>p</Kbd>
      </Button>
      <Button
        variant="ghost"
        aria-keyshortcuts="a"
        aria-label={assignee === null ? t('assign') : t('assignee', { name: assignee.name })}
        onClick={() => decide.onAssign(item)}
        className="min-w-8 shrink"
      >
        {assignee === null ? (
          <UserRoundPlus aria-hidden className="size-4 shrink-0" />
        ) : (
          <Avatar name={assignee.name} />
        )}
        <span className="hidden max-w-28 truncate @2xl:inline @4xl:max-w-36">{assignee?.name ?? t('assign')}</span>
      </Button>
      <IconButton label={t('putAside')} shortcut="h" onClick={() => decide.onPutAside(item)}>
        <AlarmClock aria-hidden />
      </IconButton>
    </span>
  )
}

function useIsTaken({ triage: { status, assignee } }: LeadItem): boolean {
  const user = useCurrentUser()
  return status === 'in-progress' && assignee !== null && assignee.id === user?.id
}

function Moves({ onPrevious, onNext, onClose }: LeadMoves) {
  const t = useTranslations('lead')
  return (
    <span className="ml-auto flex shrink-0 items-center">
      <IconButton label={t('previous')} shortcut="k" disabled={onPrevious === undefined} onClick={onPrevious}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label={t('next')} shortcut="j" disabled={onNext === undefined} onClick={onNext}>
        <ChevronDown aria-hidden />
      </IconButton>
      <span className="hidden desk:inline">
        <IconButton label={t('close')} shortcut="Escape" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </span>
    </span>
  )
}

export function ThumbBar({ lead, item, decide }: ActsProps & { lead: LeadRef }) {
  const t = useTranslations('lead')
  const { status, assignee } = item.triage
  const isTaken = useIsTaken(item)
  return (
    <div
      role="group"
      aria-label={t('actions')}
      className="grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] desk:hidden low:sticky low:bottom-0 low:mt-auto"
    >
      <Answers lead={lead} item={item} />
      <ThumbButton
        icon={<StatusDot status="handled" />}
        text={<span>{t('handledShort')}</span>}
        label={t('markHandled')}
        disabled={status === 'handled'}
        onClick={() => decide.onStatus(item, 'handled')}
      />
      <ThumbButton
        icon={<StatusDot status="in-progress" />}
        text={<span>{t('take')}</span>}
        disabled={isTaken}
        onClick={() => decide.onTake(item)}
      />
      <ThumbButton
        icon={assignee === null ? <UserRoundPlus aria-hidden /> : <Avatar name={assignee.name} />}
        text={<span className="max-w-full min-w-0 truncate px-1">{assignee?.name ?? t('assign')}</span>}
        label={assignee === null ? t('assign') : t('assignee', { name: assignee.name })}
        onClick={() => decide.onAssign(item)}
      />
      <ThumbButton
        icon={<AlarmClock aria-hidden />}
        text={<span>{t('putAsideShort')}</span>}
        onClick={() => decide.onPutAside(item)}
      />
    </div>
  )
}

function Answers({ lead, item }: { lead: LeadRef; item: LeadItem }) {
  const t = useTranslations('lead')
  const { email, phone } = contactOf(item)
  const number = phone === null ? null : toE164(phone)
  const isCalled = number !== null && (email === null || (isQuestion(item) && item.sender.mode === 'phone'))
  const mail = email !== null && (
    <ThumbButton
      icon={<Mail aria-hidden />}
      text={<span>{t(isQuestion(item) ? 'reply' : 'mail')}</span>}
      onClick={() => wishReply(lead, 'mail')}
      className={isCalled ? entryClass : firstClass}
    />
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

type ThumbButtonProps = ComponentProps<'button'> & { icon: ReactNode; text: ReactNode; label?: string }

function ThumbButton({ icon, text, label, ...rest }: ThumbButtonProps) {
  return (
    <button type="button" aria-label={label} className={entryClass} {...rest}>
      {icon}
      {text}
    </button>
  )
}

/** Without room for words, in a low or very narrow window, the signs stand alone. */
const anyClass =
  'flex min-h-14 w-full min-w-0 flex-col items-center justify-center gap-1 py-1 text-center text-2xs font-medium disabled:opacity-45 low:min-h-11 low:flex-row low:gap-2 max-[19rem]:[&>span:last-child]:sr-only low:max-[40rem]:[&>span:last-child]:sr-only [&>svg]:size-5 [&>svg]:shrink-0'
const entryClass = `${anyClass} text-mute hover:text-ink`
const firstClass = `${anyClass} text-accent`
