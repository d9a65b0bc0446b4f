'use client'

import { ChevronsUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyPopoverContent } from '@/components/app/lazy-part'
import { Avatar } from '@/components/ui/avatar'
import { Popover } from '@/components/ui/popover'

const AccountItems = lazyPopoverContent(async () => (await import('./account-items')).AccountItems)

export function AccountMenu({ variant }: { variant: 'row' | 'avatar' }) {
  const t = useTranslations('shell.account')
  const tCommon = useTranslations('common')
  const user = useCurrentUser()
  if (user === null) return null
  const isRow = variant === 'row'
  const label = t('label', { name: user.name })
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
          <Avatar name={user.name} size="md" />
          {isRow && (
            <>
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">{user.name}</span>
                <span className="block truncate text-xs text-mute">{tCommon(`role.${user.role}`)}</span>
              </span>
              <ChevronsUpDown className="size-3.5 text-faint" />
            </>
          )}
        </button>
      )}
    >
      {(close) => <AccountItems user={user} close={close} />}
    </Popover>
  )
}
