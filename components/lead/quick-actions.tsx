'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import type { LeadItem } from '@/lib/api/lead-page'
import type { Decide } from './open-lead'

const QUICK = [
  { status: 'handled', shortcut: 'e', variant: 'primary' },
  { status: 'in-progress', shortcut: 'p', variant: 'secondary' },
] as const

/** The two decisions of a working day, one press away. They keep their places, whatever the status. */
export function QuickActions({ item, onStatus }: { item: LeadItem; onStatus: Decide['onStatus'] }) {
  const t = useTranslations('common.status')
  return QUICK.map(({ status, shortcut, variant }) => {
    const isSo = item.triage.status === status
    return (
      <Button
        key={status}
        variant={isSo ? 'secondary' : variant}
        disabled={isSo}
        aria-keyshortcuts={shortcut}
        onClick={() => onStatus(item, status)}
        className="hidden @lg:inline-flex"
      >
        {t(status)}
        <Kbd inverted={variant === 'primary' && !isSo}>{shortcut}</Kbd>
      </Button>
    )
  })
}
