import { useTranslations } from 'next-intl'
import { createMetadata } from '@/app/(desk)/desk-page'
import { BrandMark } from '@/components/ui/brand'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'

export const generateMetadata = createMetadata({ title: (t) => t('trouble.notFoundTitle') })

export default function NotFound() {
  const t = useTranslations()
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={<BrandMark />}
        isWholeScreen
        title={t('trouble.notFoundTitle')}
        hint={t('trouble.notFoundBody')}
        action={
          <a href="/" className={buttonClass({ variant: 'primary' })}>
            {t('errors.toStart')}
          </a>
        }
      />
    </main>
  )
}
