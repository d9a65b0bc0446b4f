import { CircleSlash, ContactRound, type LucideIcon, Phone, UserRoundCheck, UserRoundPlus, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Address } from '@/components/contact/contact-facts'
import { requestReply } from '@/components/contact/reply-request'
import { useCurrentUser } from '@/components/app/current-user'
import { DeskLink } from '@/components/app/navigate'
import { StatusMenu } from '@/components/app/status-menu'
import { Kbd, useShortcut } from '@/components/ui/kbd'
import { entryClass } from '@/components/ui/menu'
import type { LeadItem } from '@/lib/api/leads'
import { displayPhone, isLikePersonalNumber, toE164 } from '@/lib/contacts/phone'
import type { LeadRef } from '@/lib/contract/lead'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import type { LeadDecisions } from './lead-body'

type LeadMoreProps = {
  lead: LeadRef
  item: LeadItem
  decide: LeadDecisions
  onClose: () => void
  /** Of the popover that this stands in. */
  close: () => void
}

/** Behind "…": what one seldom looks up about a lead, and what is seldom done with it. */
export function LeadMore({ lead, item, decide, onClose, close }: LeadMoreProps) {
  const t = useTranslations('lead')
  const modes = useTranslations('inbox.mode')
  const ownId = useCurrentUser()?.id
  const { email, phone } = contactOf(item)
  const { assignee, status } = item.triage
  const isTaken = status === 'in-progress' && assignee?.id === ownId
  const after = (run: () => void) => () => (close(), run())
  // Of a declaration the ways of contact stand on the page.
  const sender = isQuestion(item) ? item.sender : undefined
  return (
    <div className="w-80 max-w-full p-1 text-sm">
      <dl className="flex flex-col px-2.5 py-1 *:flex *:min-h-7 *:items-center *:gap-2 [&_dd]:min-w-0 [&_dd]:flex-1 [&_dd]:wrap-anywhere [&_dt]:w-24 [&_dt]:shrink-0 [&_dt]:text-faint">
        <Fact name={t('status')}>
          <StatusMenu status={status} onStatus={(next) => (close(), decide.onStatus(item, next))} />
        </Fact>
        {sender && email !== null && (
          <Fact name={t('field.email')}>
            <Address text={email} />
          </Fact>
        )}
        {sender && phone !== null && (
          <Fact name={t('field.phone')}>
            <bdi className="tabular">{displayPhone(phone)}</bdi>
            {isLikePersonalNumber(phone) && <span className="block text-xs text-faint">{t('personalNumber')}</span>}
          </Fact>
        )}
        {sender && (
          <Fact name={t('field.mode')}>
            {/* A way of contact that Intag has no word for is shown as the service says it. */}
            {sender.mode === 'email' || sender.mode === 'phone' ? modes(sender.mode) : sender.mode}
          </Fact>
        )}
        <Fact name={t('field.id')}>{item.id}</Fact>
      </dl>
      <ul className="mt-1 border-t border-line-soft pt-1">
        {phone !== null && toE164(phone) !== null && (
          <Entry Icon={Phone} text={t('call')} onClick={after(() => requestReply(lead, 'call'))} />
        )}
        <li>
          <DeskLink href={`/contacts/${item.contactId}`} onNavigate={close} className={entryClass}>
            <ContactRound />
            {t('showContact')}
          </DeskLink>
        </li>
        {assignee !== null && !isTaken && (
          <Entry Icon={UserRoundCheck} text={t('take')} keys="p" onClick={after(() => decide.onTake(item))} />
        )}
        {assignee === null && (
          <Entry Icon={UserRoundPlus} text={t('assign')} keys="a" onClick={after(() => decide.onAssign(item))} />
        )}
        {status !== 'dismissed' && (
          <Entry Icon={CircleSlash} text={t('dismiss')} onClick={after(() => decide.onStatus(item, 'dismissed'))} />
        )}
        <Entry Icon={X} text={t('close')} keys="Esc" onClick={after(onClose)} />
      </ul>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Entry({ Icon, text, keys, onClick }: { Icon: LucideIcon; text: string; keys?: string; onClick: () => void }) {
  const shortcut = useShortcut(keys)
  return (
    <li>
      <button type="button" onClick={onClick} className={entryClass}>
        <Icon />
        <span className="min-w-0 flex-1">{text}</span>
        {shortcut !== undefined && <Kbd>{shortcut}</Kbd>}
      </button>
    </li>
  )
}
