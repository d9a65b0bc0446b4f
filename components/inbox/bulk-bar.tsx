import { AlarmClock, Download, Ellipsis, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useLayoutEffect, useRef } from 'react'
import { StatusDot } from '@/components/app/status-dot'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import { Spinner } from '@/components/ui/loading'
import { takeLeads } from './inbox-dialogs'
import { type InboxState, marksIn } from './inbox-state'
import { useActs, useInbox } from './use-inbox'

export function BulkBar() {
  const t = useTranslations('inbox.marked')
  const inboxWords = useTranslations('inbox')
  const marked = useInbox(marksIn)
  const acts = useActs()
  const { total } = marked
  const changing = useInbox(changingIn)
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => keepAbove(bar.current), [])
  return (
    <section
      ref={bar}
      aria-label={t('region')}
      data-bulk-bar
      className="@container flex animate-slide-up flex-col gap-2 border-t border-line bg-raised edge py-2.5 shadow-float"
    >
      <div className="-me-2 flex min-h-8 flex-wrap items-center text-sm desk:gap-x-1">
        <output className="tabular shrink-0 font-medium">{t('count', { count: marked.count })}</output>
        {!marked.isAll && marked.isAny && total > marked.count && (
          <Button
            text={<span className="tabular truncate text-accent">{t('all', { count: total })}</span>}
            variant="ghost"
            size="sm"
            className="min-w-0 px-1.5"
            onClick={acts.markAll}
          />
        )}
        <span className="flex-1" />
        <span className="flex -space-x-2 desk:space-x-0.5">
          {changing === null && (
            <>
              <IconButton
                icon={Download}
                label={inboxWords('export')}
                disabled={!marked.isAny}
                onClick={() => void takeLeads(acts, 'export', false)}
              />
              <MoreMenu count={marked.count} />
            </>
          )}
          <IconButton icon={X} label={t('clear')} shortcut="Escape" onClick={acts.unmark} />
        </span>
      </div>
      {changing === null ? <Actions count={marked.count} /> : <Changing count={changing} />}
    </section>
  )
}

/** The bar takes room from the list: the row that the keys are at must not disappear behind it. */
function keepAbove(bar: HTMLElement | null): void {
  const row = document.querySelector('[role=option][data-cursor=true]')
  if (bar === null || row === null) return
  const [taken, place] = [bar.getBoundingClientRect(), row.getBoundingClientRect()]
  if (place.bottom > taken.top && place.top < taken.bottom) row.scrollIntoView({ block: 'nearest' })
}

const changingIn = ({ changing }: InboxState) => changing

function Actions({ count }: { count: number }) {
  const t = useTranslations('inbox.marked')
  const { targets, askAssign, taken } = useActs().decide
  const acts = [
    { key: 'e', words: t('markHandled', { count }), run: () => targets({ status: 'handled' }) },
    { key: 'p', words: t('take', { count }), run: () => targets(taken) },
    { key: 'a', words: t('assign'), run: () => askAssign() },
  ]
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {acts.map(({ key, words, run }, place) => (
        <Button
          key={key}
          text={words}
          shortcut={key}
          variant={place === 0 ? 'primary' : 'secondary'}
          disabled={count === 0}
          onClick={run}
          className="@max-md:[&>kbd]:hidden"
        />
      ))}
    </div>
  )
}

function MoreMenu({ count }: { count: number }) {
  const t = useTranslations('inbox.marked')
  const acts = useActs()
  const { targets, askPutAside } = acts.decide
  const items = [
    { words: t('copyEmails'), icon: undefined, run: () => void takeLeads(acts, 'copy-emails', false) },
    { words: t('putAside'), icon: <AlarmClock />, run: () => askPutAside() },
    null,
    { words: t('renew', { count }), icon: <StatusDot status="new" />, run: () => targets({ status: 'new' }) },
    {
      words: t('markDismissed', { count }),
      icon: <StatusDot status="dismissed" />,
      run: () => targets({ status: 'dismissed' }),
    },
  ]
  return (
    <Menu
      label={t('more')}
      side="top"
      align="end"
      trigger={(props) => <IconButton {...props} icon={Ellipsis} label={t('more')} disabled={count === 0} />}
    >
      {(close) =>
        items.map((act) =>
          act === null ? (
            <MenuSeparator key="parted" />
          ) : (
            <MenuItem key={act.words} icon={act.icon} onSelect={() => (close(), act.run())}>
              {act.words}
            </MenuItem>
          ),
        )
      }
    </Menu>
  )
}

function Changing({ count }: { count: number }) {
  const t = useTranslations('inbox.marked')
  return (
    <p role="status" className="tabular flex h-8 items-center gap-2 text-sm text-mute touch:h-11">
      <Spinner />
      {t('changing', { count })}
    </p>
  )
}

export function MarkedSummary() {
  const t = useTranslations('inbox.marked')
  const { count } = useInbox(marksIn)
  return (
    <div className="grid h-full place-content-center justify-items-center gap-4 p-6 text-center">
      <h2 className="tabular text-title font-semibold">{t('count', { count })}</h2>
      <p className="max-w-72 text-sm text-pretty text-mute">{t('hint')}</p>
      <p className="text-sm text-mute touch:hidden">{t.rich('esc', { kbd: (key) => <Kbd>{key}</Kbd> })}</p>
    </div>
  )
}
