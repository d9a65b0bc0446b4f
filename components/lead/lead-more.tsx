import {
  ChevronDown,
  ChevronUp,
  CircleSlash,
  ContactRound,
  type LucideIcon,
  Phone,
  UserRoundCheck,
  UserRoundPlus,
  X,
} from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Address } from '@/components/contact/contact-facts'
import { requestReply } from '@/components/contact/reply-request'
import { useCurrentUser } from '@/components/desk/current-user'
import { DeskLink } from '@/components/desk/navigate'
import { StatusMenu } from '@/components/triage/status-menu'
import { Kbd, useShortcut } from '@/components/ui/kbd'
import { entryClass } from '@/components/ui/menu'
import type { LeadItem } from '@/lib/api/leads'
import { displayPhone, isLikePersonalNumber, toE164 } from '@/lib/contacts/phone'
import type { LeadRef } from '@/lib/contract/lead'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import type { LeadDecisions, LeadMoves } from './lead-toolbar'

type LeadMoreProps = { lead: LeadRef; item: LeadItem; decide: LeadDecisions; moves: LeadMoves; close: () => void }

/** Behind "…": what one seldom looks up about a lead, and what is seldom done with it. */
export function LeadMore(props: LeadMoreProps) {
  return (
    <div className="w-80 max-w-full p-1 text-sm">
      <Facts {...props} />
      <Entries {...props} />
    </div>
  )
}

function Facts({ item, decide, close }: LeadMoreProps) {
  const t = useTranslations('lead')
  return (
    <dl className="flex flex-col px-2.5 py-1 *:flex *:min-h-7 *:items-center *:gap-2 [&_dd]:min-w-0 [&_dd]:flex-1 [&_dd]:wrap-anywhere [&_dt]:w-24 [&_dt]:shrink-0 [&_dt]:text-faint">
      <Fact name={t('status')}>
        <StatusMenu status={item.triage.status} onStatus={(next) => (close(), decide.onStatus(item, next))} />
      </Fact>
      {isQuestion(item) && <SenderFacts item={item} mode={item.sender.mode} />}
      <Fact name={t('field.id')}>{item.id}</Fact>
    </dl>
  )
}

/** Of a declaration they stand on the page. A way of contact that we have no word for is shown as the service says it. */
function SenderFacts({ item, mode }: { item: LeadItem; mode: string }) {
  const t = useTranslations('lead')
  const modes = useTranslations('inbox.mode')
  const { email, phone } = contactOf(item)
  return (
    <>
      {email !== null && (
        <Fact name={t('field.email')}>
          <Address text={email} />
        </Fact>
      )}
      {phone !== null && (
        <Fact name={t('field.phone')}>
          <bdi className="tabular">{displayPhone(phone)}</bdi>
          {isLikePersonalNumber(phone) && <span className="block text-xs text-faint">{t('personalNumber')}</span>}
        </Fact>
      )}
      <Fact name={t('field.mode')}>{mode === 'email' || mode === 'phone' ? modes(mode) : mode}</Fact>
    </>
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

function Entries({ lead, item, decide, moves, close }: LeadMoreProps) {
  const t = useTranslations('lead')
  const { phone } = contactOf(item)
  const { assignee, status } = item.triage
  const ownId = useCurrentUser()?.id
  const isTaken = status === 'in-progress' && assignee?.id === ownId
  const after = (run: () => void) => () => (close(), run())
  return (
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
      {moves.onPrevious && <Entry Icon={ChevronUp} text={t('previous')} keys="k" onClick={after(moves.onPrevious)} />}
      {moves.onNext && <Entry Icon={ChevronDown} text={t('next')} keys="j" onClick={after(moves.onNext)} />}
      <Entry Icon={X} text={t('close')} keys="Esc" onClick={after(moves.onClose)} />
    </ul>
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
