'use client'

import { Download, Ellipsis, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import { StatusDot } from '@/components/ui/status-dot'
import { BulkProgress } from './bulk-progress'
import { useBulk, type Bulk } from './use-bulk'
import type { InboxState } from './use-inbox'

/** What can be done with the marked leads, and exactly how many they are. */
export function BulkBar({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox.marked')
  const { marked, rows } = inbox
  const total = rows.count + rows.held
  const bulk = useBulk(inbox)
  return (
    <section
      aria-label={t('region')}
      className="flex animate-slide-up flex-col gap-2 border-t border-line bg-raised px-3 py-2 shadow-float"
    >
      <div className="flex min-h-8 items-center gap-2 text-sm">
        <output className="tabular shrink-0 font-medium">{t('count', { count: marked.count })}</output>
        {!marked.isAll && marked.isAny && total > marked.count && (
          <Button variant="ghost" size="sm" className="min-w-0 px-1.5" onClick={marked.markAll}>
            <span className="tabular truncate text-accent">{t('all', { count: total })}</span>
          </Button>
        )}
        <span className="flex-1" />
        {bulk.progress === null && <MoreMenu bulk={bulk} isAny={marked.isAny} />}
        <IconButton label={t('clear')} shortcut="Escape" onClick={marked.clear}>
          <X aria-hidden />
        </IconButton>
      </div>
      {bulk.progress === null ? <Actions bulk={bulk} isAny={marked.isAny} /> : <BulkProgress {...bulk.progress} />}
    </section>
  )
}

type PartProps = { bulk: Bulk; isAny: boolean }

function Actions({ bulk, isAny }: PartProps) {
  const t = useTranslations('inbox.marked')
  const inbox = useTranslations('inbox')
  const status = useTranslations('common.status')
  return (
    <div className="flex items-center gap-1.5">
      <Button variant="primary" disabled={!isAny} onClick={() => bulk.set('handled')}>
        {status('handled')}
        <Kbd inverted>e</Kbd>
      </Button>
      <Button disabled={!isAny} onClick={() => bulk.set('in-progress')}>
        {status('in-progress')}
        <Kbd>p</Kbd>
      </Button>
      <Button disabled={!isAny} onClick={bulk.assign}>
        {t('assign')}
        <Kbd>a</Kbd>
      </Button>
      <Button disabled={!isAny} onClick={bulk.exportLeads}>
        <Download aria-hidden className="size-3.5" />
        {inbox('export')}
      </Button>
    </div>
  )
}

function MoreMenu({ bulk, isAny }: PartProps) {
  const t = useTranslations('inbox.marked')
  const status = useTranslations('common.status')
  const then = (close: () => void, run: () => void) => () => {
    close()
    run()
  }
  return (
    <Menu
      label={t('more')}
      side="top"
      align="end"
      trigger={(props) => (
        <IconButton {...props} label={t('more')} disabled={!isAny}>
          <Ellipsis aria-hidden />
        </IconButton>
      )}
    >
      {(close) => (
        <>
          <MenuItem onSelect={then(close, bulk.copyEmails)}>{t('copyEmails')}</MenuItem>
          <MenuSeparator />
          {(['new', 'dismissed'] as const).map((value) => (
            <MenuItem key={value} icon={<StatusDot status={value} />} onSelect={then(close, () => bulk.set(value))}>
              {status(value)}
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  )
}
