'use client'

import { type ReactNode, useEffect, useState } from 'react'

/** The widths at which the style sheet shows a part of the frame; the same figures as its `desk` and `wide`. */
const WIDTHS = {
  phone: '(width < 51.25rem)',
  desk: '(width >= 51.25rem)',
  rail: '(51.25rem <= width < 73.75rem)',
  narrow: '(width < 73.75rem)',
  wide: '(width >= 73.75rem)',
}

type AwakeAtProps = {
  width: keyof typeof WIDTHS
  as: 'aside' | 'header' | 'footer' | 'div' | 'span'
  className: string
  children: ReactNode
}

/**
 * A part that the style sheet hides at other widths. The server draws it, as it knows no width; where it is hidden the browser
 * leaves that HTML alone, so that nothing in it runs, asks or is drawn anew. Once shown it stays awake.
 */
export function AwakeAt({ width, as: Part, className, children }: AwakeAtProps) {
  const [isAwake, setAwake] = useState(() => typeof window === 'undefined' || window.matchMedia(WIDTHS[width]).matches)
  useEffect(() => {
    if (isAwake) return
    const query = window.matchMedia(WIDTHS[width])
    const look = () => query.matches && setAwake(true)
    look()
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [isAwake, width])
  if (isAwake) return <Part className={className}>{children}</Part>
  return <Part className={className} suppressHydrationWarning dangerouslySetInnerHTML={AS_IT_IS} />
}

/** While hydrating, React takes this for whatever the server has drawn. */
const AS_IT_IS = { __html: '' }
