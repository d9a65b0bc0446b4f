import { ChevronDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { buttonClass } from '@/components/ui/button-class'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { LeadStatus } from '@/lib/contract/lead'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { StatusDot } from './status-dot'

type StatusMenuProps = { status: LeadStatus; onStatus: (status: LeadStatus) => void }

export function StatusMenu({ status, onStatus }: StatusMenuProps) {
  const t = useTranslations('common.status')
  const lead = useTranslations('lead')
  const label = lead('changeStatus', { status: t(status) })
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <button {...props} type="button" data-prints="" aria-label={label} className={buttonClass({ size: 'sm' })}>
          <StatusDot status={status} />
          {t(status)}
          <ChevronDown className="size-3.5 text-faint print:hidden" />
        </button>
      )}
    >
      {(close) =>
        LEAD_STATUSES.map((choice) => (
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
