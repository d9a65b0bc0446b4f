'use client'

import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'

type ErrorPanelProps = {
  words: { title: string; body: string; tryAgain: string; toStart: string; reference: string | null }
  retry: () => void
}

/** Every page carries this for the day something breaks, so it is made of little. */
export function ErrorPanel({ words, retry }: ErrorPanelProps) {
  return (
    <div role="alert" className="grid h-full min-h-96 place-items-center">
      <EmptyState
        icon={<WarningSign />}
        isScreen
        title={words.title}
        action={
          <>
            <button type="button" onClick={retry} className={buttonClass({ variant: 'primary' })}>
              {words.tryAgain}
            </button>
            {/* A whole new page, not a soft navigation: whatever broke is thrown away. */}
            <a href="/" className={buttonClass()}>
              {words.toStart}
            </a>
          </>
        }
      >
        <p>{words.body}</p>
        {words.reference && <p className="mt-2 text-xs text-faint">{words.reference}</p>}
      </EmptyState>
    </div>
  )
}

function WarningSign() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M10.3 4 2.2 18a2 2 0 0 0 1.7 3h16.2a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0ZM12 9v4m0 4h.01" />
    </svg>
  )
}
