import { BookOpen, CircleQuestionMark, LogOut, Search, ShieldCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { findCommand } from '@/components/app/commands'
import type { CurrentUser } from '@/components/app/current-user'
import { useNavigate } from '@/components/app/navigate'
import { PreferenceItems } from '@/components/app/preferences'
import { MenuItem, MenuKeyboard, MenuSeparator } from '@/components/ui/menu'
import { requestSignOut } from '@/components/ui/unsaved-work'

export function AccountItems({ user, close }: { user: CurrentUser; close: () => void }) {
  const t = useTranslations('shell.account')
  const tShell = useTranslations('shell')
  const navigate = useNavigate()
  return (
    <MenuKeyboard close={close}>
      <div className="px-2.5 pt-1.5 pb-1 text-sm">
        <p className="truncate font-medium">{user.name}</p>
        <p className="truncate text-xs text-mute">{user.email}</p>
      </div>
      <MenuSeparator />
      {/* On a phone this menu is the only way to the palette and the list of keys. */}
      <MenuItem icon={<Search />} onSelect={() => findCommand('palette')?.()}>
        {tShell('commands')}
      </MenuItem>
      <MenuItem icon={<CircleQuestionMark />} onSelect={() => findCommand('help')?.()}>
        {tShell('help')}
      </MenuItem>
      <MenuItem icon={<BookOpen />} onSelect={() => navigate('/help')}>
        {t('handbook')}
      </MenuItem>
      <MenuSeparator />
      <PreferenceItems />
      <MenuSeparator />
      <MenuItem icon={<ShieldCheck />} onSelect={() => navigate('/account')}>
        {t('own')}
      </MenuItem>
      <MenuItem icon={<LogOut />} onSelect={requestSignOut}>
        {t('signOut')}
      </MenuItem>
    </MenuKeyboard>
  )
}
