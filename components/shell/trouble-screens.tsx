import { DatabaseZap, Lock } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { AutoRefreshButton } from '@/components/app/auto-refresh-button'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import type { Role } from '@/lib/contract/user'

export function DatabaseAwayScreen() {
  const t = useTranslations('trouble')
  return (
    <div role="alert" className="grid h-full place-items-center">
      <EmptyState
        icon={<DatabaseZap />}
        isWholeScreen
        title={t('databaseAwayTitle')}
        hint={t('databaseAwayBody')}
        action={<AutoRefreshButton />}
      />
    </div>
  )
}

export function NoAccessScreen({ role, isStartPage }: { role: Role; isStartPage?: boolean }) {
  const t = useTranslations()
  return (
    <div className="grid h-full place-items-center">
      <EmptyState
        icon={<Lock />}
        isWholeScreen
        title={t('trouble.noAccessTitle')}
        hint={t('trouble.noAccessBody', { role: t(`common.role.${role}`).toLowerCase() })}
        action={
          !isStartPage && (
            <a href="/" className={buttonClass()}>
              {t('errors.toStart')}
            </a>
          )
        }
      />
    </div>
  )
}
