import { Lock } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import type { Role } from '@/lib/contract/user'

type NoAccessProps = {
  role: Role
  isStart?: boolean
}

export function NoAccess({ role, isStart = false }: NoAccessProps) {
  const t = useTranslations()
  return (
    <div className="grid h-full place-items-center">
      <EmptyState
        icon={<Lock />}
        isScreen
        title={t('trouble.noAccessTitle')}
        hint={t('trouble.noAccessBody', { role: t(`common.role.${role}`).toLowerCase() })}
        action={
          !isStart && (
            <a href="/" className={buttonClass()}>
              {t('errors.toStart')}
            </a>
          )
        }
      />
    </div>
  )
}
