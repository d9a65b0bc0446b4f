'use client'

import { ChevronsUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Account } from '@/components/desk/current-user'
import { lazyPart } from '@/components/desk/lazy-part'
import { Avatar } from '@/components/ui/avatar'
import { Spinner } from '@/components/ui/loading'
import { Menu } from '@/components/ui/menu'
import type { TriggerProps } from '@/components/ui/popover'

const AccountItems = lazyPart(
  async () => (await import('./account-items')).AccountItems,
  <Spinner className="m-3 size-4 text-faint" />,
)
const loadAhead = () => void AccountItems.load()

type AccountMenuProps = { account: Account; hasLeads: boolean; shape: 'side' | 'avatar' }

/** Who is signed in; behind it language, theme and signing out, whose code is loaded when it is wanted. */
export function AccountMenu({ account, hasLeads, shape }: AccountMenuProps) {
  const t = useTranslations('shell.account')
  return (
    <Menu
      label={t('label', { name: account.name })}
      side={shape === 'side' ? 'top' : 'bottom'}
      align={shape === 'side' ? 'start' : 'end'}
      className="w-[13.5rem]"
      trigger={(props) => {
        const Trigger = shape === 'side' ? SideTrigger : AvatarTrigger
        return <Trigger {...props} onPointerEnter={loadAhead} onFocus={loadAhead} account={account} />
      }}
    >
      {() => <AccountItems account={account} hasLeads={hasLeads} />}
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
