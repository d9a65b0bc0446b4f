import { AlarmClock, Download, Ellipsis, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { StatusDot } from '@/components/app/status-dot'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import { Spinner } from '@/components/ui/loading'
import { openExportDialog } from './inbox-dialogs'
import { selectMarks } from './inbox-state'
import { useInbox } from './use-inbox'

export function BulkBar() {
  const t = useTranslations('inbox.marked')
  const inboxWords = useTranslations('inbox')
  const inbox = useInbox()
  const { changingCount: changing, actions: acts } = inbox
  const { decideTargets, askAssign, takeDecision: taken } = acts
  const { count, total, hasMarks: isAny, isAll } = selectMarks(inbox)
  const changes = [
    { key: 'e', words: t('markHandled', { count }), run: () => decideTargets({ status: 'handled' }) },
    { key: 'p', words: t('take', { count }), run: () => decideTargets(taken) },
    { key: 'a', words: t('assign'), run: () => askAssign() },
  ]
  return (
    <section
      aria-label={t('region')}
      data-bulk-bar
      className="@container flex animate-slide-up flex-col gap-2 border-t border-line bg-raised edge py-2.5 shadow-float"
    >
      <div className="-me-2 flex min-h-8 flex-wrap items-center text-sm desk:gap-x-1">
        <output className="tabular shrink-0 font-medium">{t('count', { count })}</output>
        {!isAll && isAny && total > count && (
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
                disabled={!isAny}
                onClick={() => void openExportDialog(acts, 'export', false)}
              />
              <MoreMenu count={count} />
            </>
          )}
          <IconButton icon={X} label={t('clear')} shortcut="Escape" onClick={acts.clearMarks} />
        </span>
      </div>
      {changing === null ? (
        <div className="flex flex-wrap items-center gap-1.5">
          {changes.map(({ key, words, run }, place) => (
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
      ) : (
        <p role="status" className="tabular flex h-8 items-center gap-2 text-sm text-mute touch:h-11">
          <Spinner />
          {t('changing', { count: changing })}
        </p>
      )}
    </section>
  )
}

function MoreMenu({ count }: { count: number }) {
  const t = useTranslations('inbox.marked')
  const { actions: acts } = useInbox()
  const { decideTargets, askSnooze: askPutAside } = acts
  return (
    <Menu
      label={t('more')}
      side="top"
      align="end"
      trigger={(props) => <IconButton {...props} icon={Ellipsis} label={t('more')} disabled={count === 0} />}
    >
      {(close) => (
        <>
          <MenuItem onSelect={() => (close(), void openExportDialog(acts, 'copy-emails', false))}>{t('copyEmails')}</MenuItem>
          <MenuItem icon={<AlarmClock />} onSelect={() => (close(), askPutAside())}>
            {t('putAside')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<StatusDot status="new" />} onSelect={() => (close(), decideTargets({ status: 'new' }))}>
            {t('renew', { count })}
          </MenuItem>
          <MenuItem
            icon={<StatusDot status="dismissed" />}
            onSelect={() => (close(), decideTargets({ status: 'dismissed' }))}
          >
            {t('markDismissed', { count })}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

export function MarkedSummary() {
  const t = useTranslations('inbox.marked')
  const { count } = selectMarks(useInbox())
  return (
    <div className="grid h-full place-content-center justify-items-center gap-4 p-6 text-center">
      <h2 className="tabular text-title font-semibold">{t('count', { count })}</h2>
      <p className="max-w-72 text-sm text-pretty text-mute">{t('hint')}</p>
      <p className="text-sm text-mute touch:hidden">{t.rich('esc', { kbd: (key) => <Kbd>{key}</Kbd> })}</p>
    </div>
  )
}
