'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { readFailedRequestId } from '@/lib/api/send'

/** Shows the id by which an operator finds the failed request in the server's log. */
export function FailureId() {
  const t = useTranslations('common')
  // The id is kept, because it can only be read shortly after the failure.
  const [id] = useState(readFailedRequestId)
  if (id === null) return null
  return (
    <span className="block text-xs opacity-80">
      {t('errorId')} <code className="break-all select-all">{id}</code>
    </span>
  )
}
