import { useQuery } from '@tanstack/react-query'
import { AlarmClock, ArrowLeft, Check, Ellipsis } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyPopoverContent } from '@/components/app/lazy-part'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { createIdempotencyKey } from '@/lib/api/mutation-options'
import { presenceKey } from '@/lib/api/refresh'
import type { LeadRef } from '@/lib/contract/lead'
import { toFirstName } from '@/lib/inbox/day-texts'
import { leadKey } from '@/lib/leads/lead-key'
import type { LeadProps } from './lead-props'

const LeadOverflow = lazyPopoverContent(async () => (await import('./lead-overflow')).LeadOverflow)

const PRESENCE_INTERVAL_MS = 10_000
/** This tab's id, a random text. It is in memory only, because a duplicated tab copies its storage, too. */
const TAB_ID = createIdempotencyKey()

const desktopToolClass = 'not-desk:hidden [&>svg]:size-3.5'

type LeadToolbarProps = Omit<LeadProps, 'item'> & { item: LeadItem | undefined }

/** Shows the most frequent decisions. On a phone the first two are at the lower edge instead (`ThumbBar`). */
export function LeadToolbar({ lead, item, actions, isOpened }: LeadToolbarProps) {
  const t = useTranslations('lead')
  const ownId = useCurrentUser()?.id
  const assignee = item?.triage.assignee ?? null
  const assigneeName = assignee?.id === ownId ? t('you') : (assignee?.name ?? '')
  return (
    <div className="@container shrink-0 border-b border-line-soft bg-panel">
      <div className="lead-bar">
        <span className="desk:hidden">
          <IconButton icon={ArrowLeft} label={t('back')} onClick={actions.closeLead} />
        </span>
        {item && (
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
                className={desktopToolClass}
                onClick={() => actions.decideLead(item, { status: 'handled' })}
              />
            )}
            <Button
              icon={AlarmClock}
              text={<span className="sr-only @md:not-sr-only">{t('putAside')}</span>}
              shortcut="h"
              className={desktopToolClass}
              onClick={() => actions.askSnooze(item)}
            />
            {assignee === null ? (
              <Button text={t('take')} shortcut="p" onClick={() => actions.takeLead(item)} />
            ) : (
              <Button
                variant="ghost"
                aria-keyshortcuts="a"
                aria-label={t('assignee', { name: assigneeName })}
                onClick={() => actions.askAssign(item)}
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
              trigger={(props) => <IconButton {...props} icon={Ellipsis} label={t('more')} className="ml-auto" />}
            >
              {(close) => <LeadOverflow item={item} actions={actions} close={close} />}
            </Popover>
          </>
        )}
      </div>
    </div>
  )
}

/** Shows who else has the lead open, and reports that it is open here, while the tab is visible. */
function Presence({ lead, isOpened }: { lead: LeadRef; isOpened: boolean }) {
  const t = useTranslations('lead')
  const format = useFormatter()
  const { data } = useQuery({
    queryKey: presenceKey(lead),
    queryFn: ({ signal }) => api('POST /api/presence', { body: { tab: TAB_ID, lead }, signal }),
    enabled: isOpened,
    refetchInterval: PRESENCE_INTERVAL_MS,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    retry: false,
    gcTime: 0,
  })
  // A tab that closes runs no clean-up; the server drops it after two missed reports.
  useEffect(() => () => void api('POST /api/presence', { body: { tab: TAB_ID, lead: null } }).catch(() => {}), [])
  const names = (data?.others ?? []).map(({ name }) => name)
  return (
    // A live region must exist before its text, or it is not read aloud.
    <span role="status" className="flex min-w-0 flex-1 basis-12 items-center justify-end empty:basis-0">
      {names.length > 0 && (
        <span
          title={names.join(', ')}
          className="sr-only animate-appear text-end text-xs leading-tight text-balance wrap-anywhere text-mute @sm:not-sr-only @sm:line-clamp-2 @2xl:min-w-26"
        >
          {t('also', { names: format.list(names.map(toFirstName)) })}
        </span>
      )}
    </span>
  )
}
