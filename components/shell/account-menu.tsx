'use client'

import { ChevronsUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Account } from '@/components/app/current-user'
import { lazyPopoverContent } from '@/components/app/lazy-part'
import { Avatar } from '@/components/ui/avatar'
import { Popover } from '@/components/ui/popover'

const AccountItems = lazyPopoverContent(async () => (await import('./account-items')).AccountItems)

export function AccountMenu({ account, variant }: { account: Account; variant: 'row' | 'avatar' }) {
  const t = useTranslations('shell.account')
  const tCommon = useTranslations('common')
  const isRow = variant === 'row'
  const label = t('label', { name: account.name })
  return (
    <Popover
      role="menu"
      label={label}
      side={isRow ? 'top' : 'bottom'}
      align={isRow ? 'start' : 'end'}
      className="w-[13.5rem] p-1"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={isRow ? undefined : label}
          className={
            isRow
              ? 'flex w-full min-w-0 items-center gap-2.5 rounded-md px-2 py-1 text-left touch:min-h-11 hover:bg-hover aria-expanded:bg-hover'
              : 'grid size-11 place-items-center rounded-md'
          }
        >
          <Avatar name={account.name} size="md" />
          {isRow && (
            <>
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">{account.name}</span>
                <span className="block truncate text-xs text-mute">{tCommon(`role.${account.role}`)}</span>
              </span>
              <ChevronsUpDown className="size-3.5 text-faint" />
            </>
          )}
        </button>
      )}
    >
      {(close) => <AccountItems account={account} close={close} />}
    </Popover>
  )
}
