import { ChevronDown, CircleSlash, ContactRound, type LucideIcon, UserRoundCheck, UserRoundPlus, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { DeskLink } from '@/components/app/navigate'
import { StatusDot } from '@/components/app/status-dot'
import { buttonClass } from '@/components/ui/button-class'
import { Kbd, useShortcut } from '@/components/ui/kbd'
import { Menu, MenuItem, menuItemClass } from '@/components/ui/menu'
import { isLikePersonalNumber } from '@/lib/contacts/phone'
import { formatPhone } from '@/lib/contacts/plain-phone'
import type { LeadStatus } from '@/lib/contract/lead'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { readEmailAndPhone, isQuestion } from '@/lib/inbox/lead-text'
import type { LeadProps } from './lead-props'

export function LeadOverflow({ item, actions, close }: Pick<LeadProps, 'item' | 'actions'> & { close: () => void }) {
  const t = useTranslations('lead')
  const tMode = useTranslations('inbox.mode')
  const ownId = useCurrentUser()?.id
  const { email, phone } = readEmailAndPhone(item)
  const { assignee, status } = item.triage
  const isOwnWork = status === 'in-progress' && assignee?.id === ownId
  // Only a question needs its sender here: a declaration shows the contact details in its body.
  const sender = isQuestion(item) ? item.sender : undefined
  const changeStatus = (newStatus: LeadStatus) => {
    close()
    actions.decideLead(item, { status: newStatus })
  }
  return (
    <div className="w-80 max-w-full p-1 text-sm">
      <dl className="flex flex-col px-2.5 py-1">
        <FactRow name={t('status')}>
          <StatusMenu status={status} onChange={changeStatus} />
        </FactRow>
        {sender && email !== null && <FactRow name={t('field.email')}>{email}</FactRow>}
        {sender && phone !== null && (
          <FactRow name={t('field.phone')}>
            <bdi className="tabular">{formatPhone(phone)}</bdi>
            {isLikePersonalNumber(phone) && <span className="block text-xs text-faint">{t('personalNumber')}</span>}
          </FactRow>
        )}
        {sender && (
          <FactRow name={t('field.mode')}>
            {/* An unknown mode of contact is shown as the service wrote it. */}
            {sender.mode === 'email' || sender.mode === 'phone' ? tMode(sender.mode) : sender.mode}
          </FactRow>
        )}
        <FactRow name={t('field.id')}>{item.id}</FactRow>
      </dl>
      {/* The popover closes before an item acts, because closing moves the focus. */}
      <ul onClickCapture={close} className="mt-1 border-t border-line-soft pt-1">
        <li>
          <DeskLink href={`/contacts/${item.contactId}`} className={menuItemClass}>
            <ContactRound />
            {t('showContact')}
          </DeskLink>
        </li>
        {assignee === null && (
          <OverflowItem icon={UserRoundPlus} text={t('assign')} shortcut="a" onClick={() => actions.askAssign(item)} />
        )}
        {assignee !== null && !isOwnWork && (
          <OverflowItem icon={UserRoundCheck} text={t('take')} shortcut="p" onClick={() => actions.takeLead(item)} />
        )}
        {status !== 'dismissed' && (
          <OverflowItem
            icon={CircleSlash}
            text={t('dismiss')}
            onClick={() => actions.decideLead(item, { status: 'dismissed' })}
          />
        )}
        <OverflowItem icon={X} text={t('close')} shortcut="Esc" onClick={actions.closeLead} />
      </ul>
    </div>
  )
}

function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center gap-2">
      <dt className="w-24 shrink-0 text-faint">{name}</dt>
      <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
    </div>
  )
}

function StatusMenu({ status, onChange }: { status: LeadStatus; onChange: (status: LeadStatus) => void }) {
  const t = useTranslations('common.status')
  const label = useTranslations('lead')('changeStatus', { status: t(status) })
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <button {...props} type="button" data-prints="" aria-label={label} className={buttonClass({ size: 'sm' })}>
          <StatusDot status={status} />
          {t(status)}
          <ChevronDown className="size-3.5 text-faint print:hidden" />
        </button>
      )}
    >
      {() =>
        LEAD_STATUSES.map((choice) => (
          <MenuItem
            key={choice}
            checked={choice === status}
            icon={<StatusDot status={choice} />}
            onSelect={() => onChange(choice)}
          >
            {t(choice)}
          </MenuItem>
        ))
      }
    </Menu>
  )
}

type OverflowItemProps = { icon: LucideIcon; text: string; shortcut?: string; onClick: () => void }

function OverflowItem({ icon: Icon, text, shortcut, onClick }: OverflowItemProps) {
  const usableShortcut = useShortcut(shortcut)
  return (
    <li>
      <button type="button" onClick={onClick} className={menuItemClass}>
        <Icon />
        <span className="min-w-0 flex-1">{text}</span>
        {usableShortcut && <Kbd>{usableShortcut}</Kbd>}
      </button>
    </li>
  )
}
