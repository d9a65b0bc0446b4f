import { ArrowLeft, ChevronDown, ChevronUp, UserRoundPlus, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { StatusDot } from '@/components/triage/status-dot'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { Presence } from './presence'

export type LeadDecisions = {
  onStatus: (item: LeadItem, status: LeadStatus) => void
  /** Opens the choice of who looks after the lead. */
  onAssign: (item: LeadItem) => void
}

/** From lead to lead, where there is one, and back to the list. */
export type LeadMoves = { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined; onClose: () => void }
type LeadToolbarProps = { lead: LeadRef; item: LeadItem | undefined; decide: LeadDecisions; moves: LeadMoves }

/** Above the open lead: its status, the decisions (on a phone in `ThumbBar`), who else has it open, the way to the next. */
export function LeadToolbar({ lead, item, decide, moves }: LeadToolbarProps) {
  const t = useTranslations('lead')
  return (
    <div className="@container shrink-0 border-b border-line-soft bg-panel">
      <div className="flex h-13 items-center gap-1.5 px-2 desk:px-5">
        <span className="desk:hidden">
          <IconButton label={t('back')} onClick={moves.onClose}>
            <ArrowLeft aria-hidden />
          </IconButton>
        </span>
        {item !== undefined && (
          <>
            <StatusMenu status={item.triage.status} onStatus={(status) => decide.onStatus(item, status)} />
            <span className="hidden items-center gap-1.5 desk:flex">
              <QuickActions item={item} onStatus={decide.onStatus} />
              <AssigneeButton item={item} onAssign={decide.onAssign} />
            </span>
          </>
        )}
        <span className="min-w-0 flex-1" />
        <Presence lead={lead} isThere={item !== undefined} />
        <Moves {...moves} />
      </div>
    </div>
  )
}

/** The status, and every other to choose; on desk and phone alike. */
function StatusMenu({ status, onStatus }: { status: LeadStatus; onStatus: (status: LeadStatus) => void }) {
  const t = useTranslations('common.status')
  const lead = useTranslations('lead')
  return (
    <Menu
      label={lead('changeStatus', { status: t(status) })}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={lead('changeStatus', { status: t(status) })}
          className={buttonClass({ variant: 'secondary' })}
        >
          <StatusDot status={status} />
          {t(status)}
          <ChevronDown aria-hidden className="size-3.5 text-faint" />
        </button>
      )}
    >
      {(close) =>
        LEAD_STATUSES.map((choice) => (
          <MenuItem
            key={choice}
            checked={choice === status}
            icon={<StatusDot status={choice} />}
            onSelect={() => {
              onStatus(choice)
              close()
            }}
          >
            {t(choice)}
          </MenuItem>
        ))
      }
    </Menu>
  )
}

/** The two decisions of a working day, one press away. They keep their places, whatever the status. */
function QuickActions({ item, onStatus }: { item: LeadItem; onStatus: LeadDecisions['onStatus'] }) {
  const t = useTranslations('common.status')
  return QUICK.map(({ status, shortcut, variant }) => {
    const isCurrent = item.triage.status === status
    return (
      <Button
        key={status}
        variant={isCurrent ? 'secondary' : variant}
        disabled={isCurrent}
        aria-keyshortcuts={shortcut}
        onClick={() => onStatus(item, status)}
        className="hidden @lg:inline-flex"
      >
        {t(status)}
        <Kbd inverted={variant === 'primary' && !isCurrent}>{shortcut}</Kbd>
      </Button>
    )
  })
}

const QUICK = [
  { status: 'handled', shortcut: 'e', variant: 'primary' },
  { status: 'in-progress', shortcut: 'p', variant: 'secondary' },
] as const

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
      className={buttonClass({ variant: 'ghost', className: 'min-w-0' })}
    >
      {assignee === null ? <UserRoundPlus aria-hidden className="size-4" /> : <Avatar name={assignee.name} />}
      <span className="hidden max-w-36 truncate @2xl:inline">{assignee?.name ?? t('assign')}</span>
    </button>
  )
}

function Moves({ onPrevious, onNext, onClose }: LeadMoves) {
  const t = useTranslations('lead')
  return (
    <span className="flex shrink-0 items-center">
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
