import { AlarmClock, ArrowLeft, ChevronDown, ChevronUp, UserRoundPlus, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useCurrentUser } from '@/components/desk/current-user'
import type { Attempted } from '@/components/triage/attempt-decisions'
import { StatusMenu } from '@/components/triage/status-menu'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import { Presence } from './presence'

export type LeadDecisions = {
  onStatus: (item: LeadItem, status: LeadStatus) => void
  /** Under way, and by the person themselves. */
  onTake: (item: LeadItem) => void
  /** Opens the choice of who looks after the lead. */
  onAssign: (item: LeadItem) => void
  /** Opens the choice of the day on which it comes back. */
  onPutAside: (item: LeadItem) => void
  /** Takes it back before that day. */
  onBack: (item: LeadItem) => void
  /** Somebody was reached for. */
  onNoted: (attempted: Attempted) => void
  /** Done with for now, and with all that was handled besides: on to the next. */
  onLeave: (item: LeadItem, handled?: readonly LeadRef[]) => void
  /** Back to a lead whose reply came back. */
  onGoBack: (leads: readonly LeadRef[]) => void
}

/** From lead to lead, where there is one, and back to the list. */
export type LeadMoves = { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined; onClose: () => void }
type LeadToolbarProps = { lead: LeadRef; item: LeadItem | undefined; decide: LeadDecisions; moves: LeadMoves }

/** Above the open lead: its status, the decisions (on a phone in `ThumbBar`), who else has it open, the way to the next. */
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
            <span className="lead-acts">
              <QuickActions item={item} decide={decide} />
              <AssigneeButton item={item} onAssign={decide.onAssign} />
              <IconButton label={t('putAside')} shortcut="h" onClick={() => decide.onPutAside(item)}>
                <AlarmClock aria-hidden />
              </IconButton>
            </span>
          </>
        )}
        <Presence lead={lead} isThere={item !== undefined} />
        <Moves {...moves} />
      </div>
    </div>
  )
}

/** The two decisions of a working day, one press away. They keep their places, whatever the status. */
function QuickActions({ item, decide }: { item: LeadItem; decide: LeadDecisions }) {
  const t = useTranslations('lead')
  const isHandled = item.triage.status === 'handled'
  const isTaken = useIsTaken(item)
  return (
    <>
      <Button disabled={isHandled} aria-keyshortcuts="e" onClick={() => decide.onStatus(item, 'handled')}>
        <span aria-hidden className="@2xl:hidden">
          {t('handledShort')}
        </span>
        <span className="sr-only @2xl:not-sr-only @2xl:whitespace-nowrap">{t('markHandled')}</span>
        <Kbd>e</Kbd>
      </Button>
      <Button disabled={isTaken} aria-keyshortcuts="p" onClick={() => decide.onTake(item)}>
        {t('take')}
        <Kbd>p</Kbd>
      </Button>
    </>
  )
}

/** Whether the person has the lead under way already. */
export function useIsTaken({ triage: { status, assignee } }: LeadItem): boolean {
  const user = useCurrentUser()
  return status === 'in-progress' && assignee !== null && assignee.id === user?.id
}

/** Who looks after the lead; a press opens the choice. */
function AssigneeButton({ item, onAssign }: { item: LeadItem; onAssign: LeadDecisions['onAssign'] }) {
  const t = useTranslations('lead')
  const { assignee } = item.triage
  return (
    <button
      type="button"
      aria-keyshortcuts="a"
      aria-label={assignee === null ? t('assign') : t('assignee', { name: assignee.name })}
      onClick={() => onAssign(item)}
      className={buttonClass({ variant: 'ghost', className: 'min-w-8 shrink' })}
    >
      {assignee === null ? <UserRoundPlus aria-hidden className="size-4 shrink-0" /> : <Avatar name={assignee.name} />}
      <span className="hidden max-w-28 truncate @2xl:inline @4xl:max-w-36">{assignee?.name ?? t('assign')}</span>
    </button>
  )
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
