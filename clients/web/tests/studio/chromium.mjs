// Starts a Chromium that draws by its processor and shows no window.
import {chromium} from 'playwright-core';

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      // Worlds are drawn by WebGL all the same; putting pages together by it takes a processor longer than all else here.
      '--disable-gpu-compositing',
    ],
  });
