'use client'

import { ChevronDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { buttonClass } from '@/components/ui/button-class'
import { Menu, MenuItem } from '@/components/ui/menu'
import { StatusDot } from '@/components/ui/status-dot'
import type { LeadStatus } from '@/lib/contract/lead'
import { STATUSES } from '@/lib/inbox/filter-params'

export function StatusMenu({ status, onStatus }: { status: LeadStatus; onStatus: (status: LeadStatus) => void }) {
  const t = useTranslations('common.status')
  const lead = useTranslations('lead')
  return (
    <Menu
      label={lead('changeStatus', { status: t(status) })}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={lead('changeStatus', { status: t(status) })}
          className={buttonClass({ variant: 'secondary' })}
        >
          <StatusDot status={status} />
          {t(status)}
          <ChevronDown aria-hidden className="size-3.5 text-faint" />
        </button>
      )}
    >
      {(close) =>
        STATUSES.map((choice) => (
          <MenuItem
            key={choice}
            checked={choice === status}
            icon={<StatusDot status={choice} />}
            onSelect={() => {
              onStatus(choice)
              close()
            }}
          >
            {t(choice)}
          </MenuItem>
        ))
      }
    </Menu>
  )
}
