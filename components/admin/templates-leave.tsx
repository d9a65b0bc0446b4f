'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'

type TemplatesLeaveProps = { name: string | null; onStay: () => void; onLeave: () => void }

export function TemplatesLeave({ name, onStay, onLeave }: TemplatesLeaveProps) {
  const t = useTranslations('templates')
  return (
    <Dialog open={name !== null} onClose={onStay} title={t('leaveTitle')}>
      <div className="flex flex-col gap-5 px-5 pb-5">
        <p className="text-sm wrap-anywhere text-mute">{t('leaveBody', { name: name ?? '' })}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="danger" onClick={onLeave}>
            {t('leave')}
          </Button>
          <Button variant="primary" autoFocus onClick={onStay}>
            {t('stay')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
