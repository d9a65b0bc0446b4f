import type { ReactNode } from 'react'

type UsersFormFrameProps = { failure: string | null; actions: ReactNode; children: ReactNode }

/** The fields scroll; what ends the form is always in sight. */
export function UsersFormFrame({ failure, actions, children }: UsersFormFrameProps) {
  return (
    <>
      <div className="flex max-h-[min(36rem,68dvh)] flex-col gap-4 overflow-y-auto overscroll-contain px-5 pt-1 pb-4 scroll-thin">
        {children}
      </div>
      <footer className="border-t border-line-soft px-5 py-3">
        {failure !== null && (
          <p role="alert" className="mb-2.5 text-sm text-danger">
            {failure}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">{actions}</div>
      </footer>
    </>
  )
}
