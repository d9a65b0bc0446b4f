import { useQuery } from '@tanstack/react-query'
import {
  AlarmClock,
  ArrowLeft,
  Check,
  ChevronDown,
  ChevronUp,
  Ellipsis,
  type LucideIcon,
  Mail,
  Phone,
} from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyPopoverContent } from '@/components/app/lazy-part'
import { requestWriting } from '@/components/contact/writing-request'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { createIdempotencyKey } from '@/lib/api/mutation-options'
import { presenceKey } from '@/lib/api/refresh'
import { toPlainEmail } from '@/lib/contacts/contact-key'
import { toE164 } from '@/lib/contacts/phone'
import type { LeadRef } from '@/lib/contract/lead'
import { readEmailAndPhone, isQuestion } from '@/lib/inbox/lead-text'
import { leadKey } from '@/lib/leads/lead-key'
import type { LeadProps } from './lead-props'

const LeadOverflow = lazyPopoverContent(async () => (await import('./lead-overflow')).LeadOverflow)

const HEARTBEAT_MS = 10_000
/** Identifies this tab. It is in memory only, because a duplicated tab copies its storage, too. */
const TAB_ID = createIdempotencyKey()

type LeadToolbarProps = Omit<LeadProps, 'item'> & { item: LeadItem | undefined }

/** Shows the most frequent decisions; on a phone the first two are in the `ThumbBar` instead. */
export function LeadToolbar({ lead, item, handlers, isOpened }: LeadToolbarProps) {
  const t = useTranslations('lead')
  const ownId = useCurrentUser()?.id
  const assignee = item?.triage.assignee ?? null
  const assigneeName = assignee?.id === ownId ? t('you') : (assignee?.name ?? '')
  return (
    <div className="@container shrink-0 border-b border-line-soft bg-panel">
      <div className="lead-bar">
        <span className="desk:hidden">
          <IconButton icon={ArrowLeft} label={t('back')} onClick={handlers.onClose} />
        </span>
        {item !== undefined && (
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
                onClick={() => handlers.onStatus(item, 'handled')}
              />
            )}
            <Button
              icon={AlarmClock}
              text={<span className="sr-only @md:not-sr-only">{t('putAside')}</span>}
              shortcut="h"
              className={toolClass}
              onClick={() => handlers.onSnooze(item)}
            />
            {assignee === null ? (
              <Button text={t('take')} shortcut="p" onClick={() => handlers.onTake(item)} />
            ) : (
              <Button
                variant="ghost"
                aria-keyshortcuts="a"
                aria-label={t('assignee', { name: assigneeName })}
                onClick={() => handlers.onAssign(item)}
                className="min-w-8 shrink"
                text={
                  <>
                    <Avatar name={assignee.name} />
                    <span className="max-w-28 truncate @4xl:max-w-36">{assigneeName}</span>
                  </>
                }
              />
            )}
            <Presence lead={lead} isOpened={isOpened} />
            <Popover
              key={leadKey(lead)}
              label={t('more')}
              align="end"
              onHoverOrFocus={LeadOverflow.load}
              trigger={(trigger) => <IconButton {...trigger} icon={Ellipsis} label={t('more')} className="ml-auto" />}
            >
              {(close) => <LeadOverflow lead={lead} item={item} handlers={handlers} close={close} />}
            </Popover>
          </>
        )}
      </div>
    </div>
  )
}

const toolClass = 'not-desk:hidden [&>svg]:size-3.5'

/** Shows who else has the lead open, and reports that it is open here, while the tab is visible. */
function Presence({ lead, isOpened }: { lead: LeadRef; isOpened: boolean }) {
  const t = useTranslations('lead')
  const { data } = useQuery({
    queryKey: presenceKey(lead),
    queryFn: ({ signal }) => api('POST /api/presence', { body: { tab: TAB_ID, lead }, signal }),
    enabled: isOpened,
    refetchInterval: HEARTBEAT_MS,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    retry: false,
    gcTime: 0,
  })
  // A closed tab reports nothing; the server drops it after two missed reports.
  useEffect(() => () => void api('POST /api/presence', { body: { tab: TAB_ID, lead: null } }).catch(() => {}), [])
  const names = (data?.others ?? []).map(({ name }) => name.trim())
  const [first = '', second = ''] = names.map((name) => name.replace(/\s.*/s, ''))
  const count = names.length
  return (
    // A live region must exist before its text, or it is not read aloud.
    <span role="status" className="flex min-w-0 flex-1 basis-12 items-center justify-end empty:basis-0">
      {count > 0 && (
        <span
          title={names.join(', ')}
          className="sr-only animate-appear text-end text-xs leading-tight text-balance wrap-anywhere text-mute @sm:not-sr-only @sm:line-clamp-2 @2xl:min-w-26"
        >
          {t('also', { count, name: first, second, more: count - 1 })}
        </span>
      )}
    </span>
  )
}

/** On a phone, the decisions and the buttons to the next lead are within the thumb's reach. */
export function ThumbBar({ lead, item, handlers }: Omit<LeadProps, 'isOpened'>) {
  const t = useTranslations('lead')
  const { email: writtenEmail, phone } = readEmailAndPhone(item)
  const email = (writtenEmail && toPlainEmail(writtenEmail)) || null
  const callNumber = phone && toE164(phone)
  const wantsCall = email === null || (isQuestion(item) && item.sender.mode === 'phone')
  return (
    <div
      role="group"
      aria-label={t('actions')}
      className="flex shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] desk:hidden low:sticky low:bottom-0 low:mt-auto"
    >
      {callNumber !== null && wantsCall ? (
        <a href={`tel:${callNumber}`} className={`${thumbClass} text-accent`}>
          <Phone />
          <span>{t('call')}</span>
        </a>
      ) : (
        email !== null && (
          <ThumbButton
            icon={Mail}
            text={t(isQuestion(item) ? 'reply' : 'mail')}
            onClick={() => requestWriting(lead, 'mail')}
            className={`${thumbClass} text-accent`}
          />
        )
      )}
      {item.triage.status !== 'handled' && (
        <ThumbButton icon={Check} text={t('markHandled')} onClick={() => handlers.onStatus(item, 'handled')} />
      )}
      <ThumbButton icon={AlarmClock} text={t('putAside')} onClick={() => handlers.onSnooze(item)} />
      <ThumbButton icon={ChevronUp} text={t('previous')} onClick={handlers.onPrevious} />
      <ThumbButton icon={ChevronDown} text={t('next')} onClick={handlers.onNext} />
    </div>
  )
}

type ThumbButtonProps = { icon: LucideIcon; text: string; className?: string; onClick: (() => void) | undefined }

function ThumbButton({ icon: Icon, text, className = mutedThumbClass, onClick }: ThumbButtonProps) {
  return (
    <button type="button" disabled={onClick === undefined} onClick={onClick} className={className}>
      <Icon />
      <span>{text}</span>
    </button>
  )
}

/** In a very narrow window, and in a low one that is not wide, only screen readers get the words. */
const thumbClass =
  'flex min-h-14 min-w-11 flex-1 flex-col items-center justify-center gap-1 px-0.5 py-1 text-center text-2xs font-medium disabled:opacity-45 low:min-h-11 low:flex-row low:gap-2 max-[19rem]:[&>span:last-child]:sr-only low:max-[40rem]:[&>span:last-child]:sr-only [&>svg]:size-5 [&>svg]:shrink-0'
const mutedThumbClass = `${thumbClass} text-mute hover:text-ink`
