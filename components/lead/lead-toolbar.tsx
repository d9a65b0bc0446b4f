import { AlarmClock, ArrowLeft, Check, ChevronDown, ChevronUp, Ellipsis, Mail, Phone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import { requestReply } from '@/components/contact/reply-request'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyContent, optionalPart } from '@/components/app/lazy-part'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import type { LeadItem } from '@/lib/api/leads'
import { toE164 } from '@/lib/contacts/phone'
import type { LeadRef } from '@/lib/contract/lead'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import type { LeadDecisions } from './lead-body'

export type LeadMoves = { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined; onClose: () => void }

const Presence = optionalPart(async () => (await import('./presence')).Presence)
const LeadMore = lazyContent(async () => (await import('./lead-more')).LeadMore)

type LeadToolbarProps = {
  lead: LeadRef
  item: LeadItem | undefined
  decide: LeadDecisions
  isOpened: boolean
  onClose: () => void
}

/** The decisions of a working day, one press away; on a phone the first two are under the thumb. */
export function LeadToolbar({ lead, item, decide, isOpened, onClose }: LeadToolbarProps) {
  const t = useTranslations('lead')
  return (
    <div className="@container shrink-0 border-b border-line-soft bg-panel">
      <div className="lead-bar">
        <span className="desk:hidden">
          <IconButton icon={ArrowLeft} label={t('back')} onClick={onClose} />
        </span>
        {item !== undefined && item.triage.status !== 'handled' && (
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
        {item !== undefined && (
          <>
            <Button
              icon={AlarmClock}
              text={<span className="sr-only @md:not-sr-only">{t('putAside')}</span>}
              shortcut="h"
              className={toolClass}
              onClick={() => decide.onPutAside(item)}
            />
            <Assignee item={item} decide={decide} />
          </>
        )}
        <Presence lead={lead} isThere={item !== undefined && isOpened} />
        {item !== undefined && (
          <Popover
            key={`${lead.kind} ${lead.id}`}
            label={t('more')}
            align="end"
            onNear={LeadMore.load}
            trigger={(trigger) => <IconButton {...trigger} icon={Ellipsis} label={t('more')} className="ml-auto" />}
          >
            {(close) => <LeadMore lead={lead} item={item} decide={decide} onClose={onClose} close={close} />}
          </Popover>
        )}
      </div>
    </div>
  )
}

const toolClass = 'not-desk:hidden [&>svg]:size-3.5'

/** Who has the lead. A press changes that, or takes a lead that nobody has. */
function Assignee({ item, decide }: { item: LeadItem; decide: LeadDecisions }) {
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

type ThumbBarProps = Omit<LeadMoves, 'onClose'> & { lead: LeadRef; item: LeadItem; decide: LeadDecisions }

/** On a phone: what is done with a lead, and the way to the next one, within the thumb's reach. */
export function ThumbBar({ lead, item, decide, onPrevious, onNext }: ThumbBarProps) {
  const t = useTranslations('lead')
  const { email, phone } = contactOf(item)
  const number = phone === null ? null : toE164(phone)
  const wantsCall = email === null || (isQuestion(item) && item.sender.mode === 'phone')
  return (
    <div
      role="group"
      aria-label={t('actions')}
      className="flex shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] desk:hidden low:sticky low:bottom-0 low:mt-auto"
    >
      {number !== null && wantsCall ? (
        <a href={`tel:${number}`} className={`${thumbClass} text-accent`}>
          <Phone />
          <span>{t('call')}</span>
        </a>
      ) : (
        email !== null && (
          <ThumbButton
            icon={<Mail />}
            text={t(isQuestion(item) ? 'reply' : 'mail')}
            onClick={() => requestReply(lead, 'mail')}
            className={`${thumbClass} text-accent`}
          />
        )
      )}
      {item.triage.status !== 'handled' && (
        <ThumbButton icon={<Check />} text={t('markHandled')} onClick={() => decide.onStatus(item, 'handled')} />
      )}
      <ThumbButton icon={<AlarmClock />} text={t('putAside')} onClick={() => decide.onPutAside(item)} />
      <ThumbButton icon={<ChevronUp />} text={t('previous')} disabled={!onPrevious} onClick={onPrevious} />
      <ThumbButton icon={<ChevronDown />} text={t('next')} disabled={!onNext} onClick={onNext} />
    </div>
  )
}

type ThumbButtonProps = ComponentProps<'button'> & { icon: ReactNode; text: string }

function ThumbButton({ icon, text, className = `${thumbClass} text-mute hover:text-ink`, ...rest }: ThumbButtonProps) {
  return (
    <button type="button" className={className} {...rest}>
      {icon}
      <span>{text}</span>
    </button>
  )
}

/** Without room for words, in a low or very narrow window, the signs stand alone. */
const thumbClass =
  'flex min-h-14 min-w-11 flex-1 flex-col items-center justify-center gap-1 px-0.5 py-1 text-center text-2xs font-medium disabled:opacity-45 low:min-h-11 low:flex-row low:gap-2 max-[19rem]:[&>span:last-child]:sr-only low:max-[40rem]:[&>span:last-child]:sr-only [&>svg]:size-5 [&>svg]:shrink-0'
