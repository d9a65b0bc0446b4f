'use client'

import { ChevronsUpDown, LogOut } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { signOut } from '@/components/signin/auth-requests'
import { Avatar } from '@/components/ui/avatar'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import type { TriggerProps } from '@/components/ui/popover'
import { toast } from '@/components/ui/toast'
import type { Role } from '@/lib/contract/user'
import { forgetSearches } from '@/lib/inbox/search-memory'
import { PreferenceItems } from './preference-items'

export type Account = { name: string; email: string; role: Role }

/** Who is signed in; language, looks and the way out. */
export function AccountMenu({ account, shape }: { account: Account; shape: 'side' | 'avatar' }) {
  const t = useTranslations('shell.account')
  const leave = async () => {
    if (await signOut()) {
      // Whoever signs in next in this tab must not meet the names that were searched for.
      forgetSearches(sessionStorage)
      location.assign('/signin?signedOut')
    } else toast(t('signOutFailed'), { tone: 'error' })
  }
  return (
    <Menu
      label={t('label', { name: account.name })}
      side={shape === 'side' ? 'top' : 'bottom'}
      align={shape === 'side' ? 'start' : 'end'}
      className="w-[13.5rem]"
      trigger={(props) =>
        shape === 'side' ? <SideTrigger {...props} account={account} /> : <AvatarTrigger {...props} account={account} />
      }
    >
      {() => (
        <>
          <div className="px-2.5 pt-1.5 pb-1 text-sm">
            <p className="truncate font-medium">{account.name}</p>
            <p className="truncate text-xs text-mute">{account.email}</p>
          </div>
          <MenuSeparator />
          <PreferenceItems />
          <MenuSeparator />
          <MenuItem icon={<LogOut />} onSelect={() => void leave()}>
            {t('signOut')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

type AccountTriggerProps = TriggerProps & { account: Account }

function SideTrigger({ account, ...props }: AccountTriggerProps) {
  const common = useTranslations('common')
  return (
    <button
      {...props}
      type="button"
      className="flex w-full min-w-0 items-center gap-2.5 rounded-md p-2 text-left hover:bg-hover aria-expanded:bg-hover"
    >
      <Avatar name={account.name} size="md" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{account.name}</span>
        <span className="block truncate text-xs text-mute">{common(`role.${account.role}`)}</span>
      </span>
      <ChevronsUpDown className="size-3.5 text-faint" aria-hidden="true" />
    </button>
  )
}

function AvatarTrigger({ account, ...props }: AccountTriggerProps) {
  const t = useTranslations('shell.account')
  return (
    <button
      {...props}
      type="button"
      aria-label={t('label', { name: account.name })}
      className="grid size-11 place-items-center rounded-md"
    >
      <Avatar name={account.name} size="md" />
    </button>
  )
}
