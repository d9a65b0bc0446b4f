'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'

type UsersConfirmProps = {
  step: 'disable' | 'toAdmin'
  isBusy: boolean
  failure: string | null
  onBack: () => void
  onYes: () => void
}

/** What it means, before it is done. */
export function UsersConfirm({ step, isBusy, failure, onBack, onYes }: UsersConfirmProps) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common')
  return (
    <div className="flex flex-col gap-5 px-5 pb-5">
      <p className="text-sm text-mute">{t(`${step}Body`)}</p>
      {failure !== null && (
        <p role="alert" className="text-sm text-danger">
          {failure}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button autoFocus onClick={onBack}>
          {common('back')}
        </Button>
        <Button variant="danger" busy={isBusy} onClick={onYes}>
          {t(step)}
        </Button>
      </div>
    </div>
  )
}
