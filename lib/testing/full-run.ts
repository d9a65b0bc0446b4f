/** In the full run (`TEST_FULL=true`, as in `.ci/run`) everything is tried everywhere and random tests go on for longer. */
export const isFullRun = process.env.TEST_FULL === 'true'
