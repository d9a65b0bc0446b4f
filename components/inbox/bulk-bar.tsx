import { AlarmClock, Download, Ellipsis, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { StatusDot } from '@/components/app/status-dot'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { Spinner } from '@/components/ui/loading'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import { useInbox } from './use-inbox'

export function BulkBar() {
  const t = useTranslations('inbox.marked')
  const tInbox = useTranslations('inbox')
  const { changingCount, marks, actions } = useInbox()
  const { decideTargets, askAssign, takeDecision } = actions
  const { count, total, hasMarks, isAll } = marks
  const decisions = [
    { key: 'e', text: t('markHandled', { count }), decide: () => decideTargets({ status: 'handled' }) },
    { key: 'p', text: t('take', { count }), decide: () => decideTargets(takeDecision) },
    { key: 'a', text: t('assign'), decide: () => askAssign() },
  ]
  return (
    <section
      aria-label={t('region')}
      data-bulk-bar
      className="@container flex animate-slide-up [anchor-name:--bulk-bar] flex-col gap-2 border-t border-line bg-raised edge py-2.5 shadow-float"
    >
      <div className="-me-2 flex min-h-8 flex-wrap items-center text-sm desk:gap-x-1">
        <output className="tabular shrink-0 font-medium">{t('count', { count })}</output>
        {!isAll && hasMarks && total > count && (
          <Button
            text={<span className="tabular truncate text-accent">{t('all', { count: total })}</span>}
            variant="ghost"
            size="sm"
            className="min-w-0 px-1.5"
            onClick={actions.markAll}
          />
        )}
        <span className="flex-1" />
        <span className="flex -space-x-2 desk:space-x-0.5">
          {changingCount === null && (
            <>
              <IconButton
                icon={Download}
                label={tInbox('export')}
                disabled={!hasMarks}
                onClick={() => void actions.askExport('export', 'marked')}
              />
              <MoreMenu count={count} />
            </>
          )}
          <IconButton icon={X} label={t('clear')} shortcut="Escape" onClick={actions.clearMarks} />
        </span>
      </div>
      {changingCount === null ? (
        <div className="flex flex-wrap items-center gap-1.5">
          {decisions.map(({ key, text, decide }, index) => (
            <Button
              key={key}
              text={text}
              shortcut={key}
              variant={index === 0 ? 'primary' : 'secondary'}
              disabled={!hasMarks}
              onClick={decide}
              className="@max-md:[&>kbd]:hidden"
            />
          ))}
        </div>
      ) : (
        <p role="status" className="tabular flex h-8 items-center gap-2 text-sm text-mute touch:h-11">
          <Spinner />
          {t('changing', { count: changingCount })}
        </p>
      )}
    </section>
  )
}

function MoreMenu({ count }: { count: number }) {
  const t = useTranslations('inbox.marked')
  const { actions } = useInbox()
  const { decideTargets, askSnooze } = actions
  return (
    <Menu
      label={t('more')}
      side="top"
      align="end"
      trigger={(props) => <IconButton {...props} icon={Ellipsis} label={t('more')} disabled={count === 0} />}
    >
      {(close) => (
        // The menu closes before an item acts, because closing moves the focus.
        <div onClickCapture={close}>
          <MenuItem onSelect={() => void actions.askExport('copy-emails', 'marked')}>{t('copyEmails')}</MenuItem>
          <MenuItem icon={<AlarmClock />} onSelect={() => askSnooze()}>
            {t('putAside')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<StatusDot status="new" />} onSelect={() => decideTargets({ status: 'new' })}>
            {t('renew', { count })}
          </MenuItem>
          <MenuItem icon={<StatusDot status="dismissed" />} onSelect={() => decideTargets({ status: 'dismissed' })}>
            {t('markDismissed', { count })}
          </MenuItem>
        </div>
      )}
    </Menu>
  )
}

/** Fills the pane while no lead is open: with what keys act on, or else with how to open a lead. */
export function PanePlaceholder() {
  const t = useTranslations('inbox.marked')
  const tLead = useTranslations('lead')
  const { rows, marks } = useInbox()
  if (rows.count === 0) return null
  return (
    // A key gives each hint its own element: React must not exchange texts that a browser may have translated.
    <p key={marks.hasMarks ? 'marked' : 'open'} className="m-auto p-6 text-center text-sm text-faint touch:hidden">
      {marks.hasMarks ? t('hint') : tLead.rich('pickHint', { kbd: (key) => <Kbd>{key}</Kbd> })}
    </p>
  )
}
