'use client'

import { ChevronsUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Account } from '@/components/desk/current-user'
import { lazyPart } from '@/components/desk/lazy-part'
import { Avatar } from '@/components/ui/avatar'
import { Spinner } from '@/components/ui/loading'
import { Menu } from '@/components/ui/menu'

const AccountItems = lazyPart(
  async () => (await import('./account-items')).AccountItems,
  <Spinner className="m-3 size-4 text-faint" />,
)
const loadAhead = () => void AccountItems.load()

type AccountMenuProps = { account: Account; hasLeads: boolean; shape: 'side' | 'avatar' }

export function AccountMenu({ account, hasLeads, shape }: AccountMenuProps) {
  const t = useTranslations('shell.account')
  const common = useTranslations('common')
  const isSide = shape === 'side'
  const label = t('label', { name: account.name })
  return (
    <Menu
      label={label}
      side={isSide ? 'top' : 'bottom'}
      align={isSide ? 'start' : 'end'}
      className="w-[13.5rem]"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={isSide ? undefined : label}
          onPointerEnter={loadAhead}
          onFocus={loadAhead}
          className={
            isSide
              ? 'flex w-full min-w-0 items-center gap-2.5 rounded-md p-2 text-left hover:bg-hover aria-expanded:bg-hover'
              : 'grid size-11 place-items-center rounded-md'
          }
        >
          <Avatar name={account.name} size="md" />
          {isSide && (
            <>
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">{account.name}</span>
                <span className="block truncate text-xs text-mute">{common(`role.${account.role}`)}</span>
              </span>
              <ChevronsUpDown className="size-3.5 text-faint" aria-hidden="true" />
            </>
          )}
        </button>
      )}
    >
      {() => <AccountItems account={account} hasLeads={hasLeads} />}
    </Menu>
  )
}
