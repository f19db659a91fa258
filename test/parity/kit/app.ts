/** The app of documented.test.ts. */
import { openApp } from '../../support/app/app.ts';

export const { app } = await openApp();
